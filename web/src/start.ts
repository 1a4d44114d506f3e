import './fonts.css';
import './ui/css/styles.css';
import { askEarly } from './data/early-answers.ts';
import { wasSignedIn } from './data/signed-in-hint.ts';

/** The entry, small so that it runs at once: the program, the page's own part and its first data are asked for together. */

const signedOut: Record<string, () => Promise<unknown>> = {
  '/login': () => import('./auth/LoginPage.tsx'),
  '/signup': () => import('./auth/SignupPage.tsx'),
  '/reset-password': () => import('./auth/ResetPasswordPage.tsx'),
  '/verify-email': () => import('./auth/VerifyEmailPage.tsx'),
};
const signedIn: Record<string, { part: () => Promise<unknown>; also: readonly string[] }> = {
  '/home': { part: () => import('./home/HomePage.tsx'), also: ['/api/keys'] },
  '/apps': { part: () => import('./apps/AppsPage.tsx'), also: [] },
  '/servers': { part: () => import('./servers/ServersPage.tsx'), also: [] },
};

// Read by zod when a page first loads it. Otherwise it tries whether it may make code from text, which the page's policy
// refuses and the browser reports; its own config() would bring it into the first load.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

const path = location.pathname === '/' ? '/home' : location.pathname;
const parts = [import('./main.tsx')] as Promise<unknown>[];
const guest = signedOut[path];
if (guest) {
  askEarly(['/api/session']);
  parts.push(guest());
} else {
  const page = signedIn[path];
  // What the frame shows on every page, and what this one adds.
  const data = ['/api/servers', '/monitor/dumps', '/api/apps', ...(page?.also ?? [])];
  askEarly(['/api/session', ...(wasSignedIn() ? data : [])]);
  parts.push(import('./shell/Shell.tsx'));
  if (page) parts.push(page.part());
}

// A part that does not arrive is told of by the router, which asks for it again.
void Promise.allSettled(parts);
