import { readFirst } from './data/first-reads.ts';
import { welcomeNewcomer } from './home/welcome.ts';
import { showFrameFailed } from './shell/frame-failed.ts';

/**
 * The program of every signed-in page. It is small and uses no library, so that a new user's welcome appears
 * first.
 */

const reads = readFirst(location.pathname);
const router = welcomeNewcomer(reads, addKeypair).then(drawFrame);
router.catch((error: unknown) => {
  // biome-ignore lint/suspicious/noConsole: developers look for a failed load in the console first
  console.error('The frame failed', error);
  showFrameFailed();
});

async function drawFrame() {
  const frame = await import('./frame.tsx');
  return frame.drawFrame(reads);
}

async function addKeypair() {
  await router.then(
    ({ navigate }) => navigate({ to: '/ssh-keys/new' }),
    () => location.assign('/ssh-keys/new'),
  );
}
