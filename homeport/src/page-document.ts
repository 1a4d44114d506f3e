import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** better-auth's, with the prefix that the api gives it; `__Secure-` comes with https. */
const sessionCookie = /(?:^|; ?)(?:__Secure-)?homeport\.session_token=[^;]/;

/** Pages for the signed-out, of `web/src/data/door-address.ts`. Every other page is for the signed-in. */
const doors = new Set(['login', 'signup', 'register', 'reset-password', 'verify-email']);

export type PageAnswer = { file: string } | { redirect: string };

/**
 * Says what a page visit is answered with: by its address, and by whether the browser brings a session's cookie. Without
 * one nobody is signed in, and the page can be from its first paint on what it will be. With one nothing is certain: it is
 * not checked here, the page's program asks the api.
 */
export function pageDocuments(folder: string): (url: string, cookies: string | undefined) => PageAnswer {
  // Written by web/documents.ts; index.html is there for whatever has no document of its own.
  const made = new Set(
    ['signed-out', 'signed-in'].flatMap((part) =>
      filesIn(join(folder, part)).map((name) => `${part}/${name}`),
    ),
  );
  const documentOr = (file: string, other: string) => ({ file: made.has(file) ? file : other });
  return (url, cookies = '') => {
    const path = url.split('?')[0] ?? url;
    const name = path === '/' ? 'home' : path.slice(1);
    const signedIn = sessionCookie.test(cookies);
    if (doors.has(name))
      return signedIn ? { file: 'index.html' } : documentOr(`signed-out/${name}.html`, 'index.html');
    if (signedIn) return documentOr(`signed-in/${name}.html`, 'signed-in/other.html');
    return { redirect: name === 'home' ? '/login' : `/login?${new URLSearchParams({ next: url })}` };
  };
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // A page that was built for development has none.
    return [];
  }
}
