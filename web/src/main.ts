import { readFirst } from './data/first-reads.ts';
import { welcomeNewcomer } from './home/welcome.ts';

/** The program of every page for the signed-in. It is small and needs no library: what a newcomer reads first is there first. */

const reads = readFirst(location.pathname);
const router = welcomeNewcomer(reads, addKeypair).then(drawFrame);

async function drawFrame() {
  const frame = await import('./frame.tsx');
  return frame.drawFrame(reads);
}

async function addKeypair() {
  await (await router).navigate({ to: '/ssh-keys/new' });
}
