export { type HostileAnswer, hostileAnswers } from '../src/github/index.ts';
export type { BadAnswer, GrantAtCloudflare } from './cloudflare-verbs.ts';
export { serverFailure, startDns } from './dns.ts';
export type { NewRepositoryAtGithub, PersonAtGithub } from './github-verbs.ts';
export { sealFor } from './sealed-box.ts';
export { type CloudflareProcess, startCloudflare } from './start-cloudflare.ts';
export { type GithubProcess, startGithub } from './start-github.ts';
