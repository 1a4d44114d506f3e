import { useEffect, useState } from 'react';
import {
  isDoorPath,
  replaceAddress,
  type SignedOutPath,
  useDoorAddress,
} from '../data/signed-out-address.ts';
import { type DoorPage, loadDoorPage } from './door-pages.ts';
import { LoginPage } from './LoginPage.tsx';

export interface SignedOutProps {
  path: SignedOutPath;
  /** The loaded page of `path`. null for sign-in. */
  first: DoorPage | null;
  /** Whether the drawn page offers GitHub. undefined if the page was not drawn. */
  github: boolean | undefined;
}

/** The signed-out page at this address. */
export function Door({ path, first, github }: SignedOutProps) {
  const { pathname, search, searchParams, hash } = useDoorAddress(path);
  const registering = pathname === '/register';
  useEffect(() => {
    if (registering) replaceAddress(`/signup${search}`);
  }, [registering, search]);

  const shown = isDoorPath(pathname) ? pathname : path;
  const other = useDoorPage(shown, first);
  const next = searchParams.get('next') ?? undefined;
  // The token stands behind the `#`. Browsers never send that part, so no log and no Referer holds the token.
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? undefined;
  if (other)
    return <other.Page email={searchParams.get('email') ?? ''} next={next} token={token} github={github} />;
  return (
    <LoginPage
      next={next && withHash(next, hash)}
      github={github}
      back={searchParams.has('state') ? searchParams : null}
      invitation={token}
    />
  );
}

/** The page of this address; null for sign-in, which also stays until another page has loaded. */
function useDoorPage(path: SignedOutPath, first: DoorPage | null): DoorPage | null {
  const [loaded, setLoaded] = useState(first);
  const fits = path === '/login' || loaded?.paths.includes(path) === true;
  useEffect(() => {
    if (fits) return undefined;
    let gone = false;
    loadDoorPage(path).then(
      (page) => {
        if (!gone) setLoaded(page);
      },
      // The address is right already: the browser tries again with its document, or says what is wrong.
      () => location.reload(),
    );
    return () => {
      gone = true;
    };
  }, [fits, path]);
  return fits && path !== '/login' ? loaded : null;
}

/** The console redirects here without knowing the part behind the `#`, which only the browser keeps. */
const withHash = (next: string, hash: string) => (next.includes('#') ? next : next + hash);
