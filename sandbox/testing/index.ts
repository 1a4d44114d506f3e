export { leaveContainer } from './left-container.ts';
export { lacksRealDatabases } from './real-databases.ts';
export { type S3Server, startS3Server } from './s3-server.ts';
