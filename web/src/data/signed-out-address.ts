import { useSyncExternalStore } from 'react';

/** The signed-out pages. They are a small program of their own, without the frame's router and cache. */
export const doorPaths = [
  '/login',
  '/signup',
  '/register',
  '/reset-password',
  '/verify-email',
  '/confirm-email',
] as const;

export type SignedOutPath = (typeof doorPaths)[number];

export const isDoorPath = (path: string): path is SignedOutPath => doorPaths.some((each) => each === path);

/** Whether the page is of no use to the signed-in. The others work on a link from a message. */
export const offersEntry = (path: SignedOutPath) =>
  path === '/login' || path === '/signup' || path === '/register';

const listeners = new Set<() => void>();

/** Opens another signed-out page without loading a document, so that messages stay. */
export function replaceAddress(address: string): void {
  history.replaceState(null, '', address);
  for (const listener of listeners) listener();
}

/**
 * Opens a page of the frame, which is another document. Never settles, because no code here may run
 * afterwards.
 */
export function leaveFor(address: string): Promise<never> {
  location.replace(address);
  return new Promise(() => {});
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/**
 * The page's address. The build draws `path` without the query and the part behind the `#`, because only the
 * browser knows these. The browser's first drawing equals the build's. The second drawing has the full
 * address.
 */
export function useDoorAddress(path: SignedOutPath): URL {
  const address = useSyncExternalStore(
    subscribe,
    () => location.href,
    () => `http://door${path}`,
  );
  return new URL(address);
}

/** A signed-out page, with the address to open afterwards: `/signup?next=%2Fservers`. */
export function doorHref(path: SignedOutPath, next: string | undefined): string {
  return next === undefined ? path : `${path}?${new URLSearchParams({ next })}`;
}
