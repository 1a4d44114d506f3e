import './fonts.css';
import './ui/css/styles.css';
import { isDoorPath } from './data/signed-out-address.ts';
import { showFrameFailed } from './shell/frame-failed.ts';

/**
 * The entry for any address without a document of its own. It is small, so that it runs at once. The
 * documents of frequently opened addresses request their programs themselves.
 */
const program = isDoorPath(location.pathname) ? import('./signed-out.tsx') : import('./main.ts');
program.catch((error: unknown) => {
  // biome-ignore lint/suspicious/noConsole: developers look for a failed load in the console first
  console.error('The program failed', error);
  showFrameFailed();
});
