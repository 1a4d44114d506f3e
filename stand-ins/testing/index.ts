export { holdAgainstDocument } from './cloudflare-document.ts';
export { githubContract } from './github-document.ts';
export { newSealingKey, sealFor } from './sealed-box.ts';
