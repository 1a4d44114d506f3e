export { holdAgainstDocument } from './cloudflare-document.ts';
