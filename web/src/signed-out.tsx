import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { loadDoorPage } from './auth/door-pages.ts';
import { githubMark } from './auth/GithubEntry.tsx';
import { Door } from './auth/SignedOut.tsx';
import { readSession } from './data/read-session.ts';
import { safeNext } from './data/safe-next.ts';
import { isDoorPath, leaveFor, offersEntry } from './data/signed-out-address.ts';
import { showFrameFailed } from './shell/frame-failed.ts';
import { Toasts } from './ui/feedback/Toasts.tsx';

/** The program of the signed-out pages. */

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root element.');

const path = isDoorPath(location.pathname) ? location.pathname : '/login';
// The build draws each form with and without GitHub. The console sends the one that fits.
const github = root.hasChildNodes() ? root.querySelector(`[${githubMark}]`) !== null : undefined;
const first = await loadDoorPage(path).catch(() => undefined);
const door = first !== undefined && (
  <StrictMode>
    <Door path={path} first={first} github={github} />
    <Toasts />
  </StrictMode>
);

if (door === false) {
  showFrameFailed();
} else if (root.hasChildNodes()) {
  // The build has drawn the page. The console sends such a document only to browsers without a session.
  hydrateRoot(root, door);
} else if (offersEntry(path) && (await readSession().catch(() => null))) {
  await leaveFor(safeNext(new URLSearchParams(location.search).get('next') ?? undefined) ?? '/home');
} else {
  createRoot(root).render(door);
}
