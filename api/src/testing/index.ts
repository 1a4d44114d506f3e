export { type Answer, createVisitor, password, type TestVisitor } from '../http/testing.ts';
export { gitProject } from './git-project.ts';
export { followToEnd, openAsPage } from './page.ts';
export { type SandboxServer, startSandboxServer } from './sandbox-host.ts';
