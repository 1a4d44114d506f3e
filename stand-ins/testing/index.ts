export { holdAgainstDocument } from './cloudflare-document.ts';
export { githubContract } from './github-document.ts';
export { newSealingKey, sealFor } from './sealed-box.ts';
export { type CloudflareProcess, startCloudflare } from './start-cloudflare.ts';
export { type GithubProcess, startGithubProcess } from './start-github.ts';
