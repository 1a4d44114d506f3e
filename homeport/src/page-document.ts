import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** better-auth's cookie with the api's prefix. Over https it begins with `__Secure-`. */
const sessionCookie = /(?:^|; ?)(?:__Secure-)?homeport\.session_token=[^;]/;

/** The pages for the signed-out, as in `web/src/data/signed-out-address.ts`. Every other page is for the signed-in. */
const doors = new Set(['login', 'signup', 'register', 'reset-password', 'verify-email', 'confirm-email']);

export type PageAnswer = { file: string } | { redirect: string };

/**
 * Chooses the answer to a page visit by its address and by whether the browser sends a session's cookie. Without a cookie nobody
 * is signed in, so the first paint can be the final page. With a cookie nothing is certain: the page's program asks the api, because
 * the cookie is not checked here.
 */
export function pageDocuments(
  folder: string,
  { github }: { github: boolean },
): (url: string, cookies: string | undefined) => PageAnswer {
  // web/documents.ts writes the documents. index.html serves every address without a document of its own.
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
      return signedIn
        ? { file: 'index.html' }
        : documentOr(`signed-out/${name}${github ? '-github' : ''}.html`, 'index.html');
    if (signedIn) {
      const [first, ...others] = name.split('/');
      const ofRecord = [first, ...others.map((part) => (part === 'chart' ? part : 'record'))].join('-');
      return documentOr(
        `signed-in/${name.replaceAll('/', '-')}.html`,
        documentOr(`signed-in/${ofRecord}.html`, 'signed-in/other.html').file,
      );
    }
    return { redirect: name === 'home' ? '/login' : `/login?${new URLSearchParams({ next: url })}` };
  };
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // A page that was built for development has no such folder.
    return [];
  }
}
