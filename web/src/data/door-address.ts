import { useSyncExternalStore } from 'react';

/** The pages of the signed-out: a small program of their own, without the router and the cache of the frame. */
export const doorPaths = ['/login', '/signup', '/register', '/reset-password', '/verify-email'] as const;

export type DoorPath = (typeof doorPaths)[number];

export const isDoorPath = (path: string): path is DoorPath => doorPaths.some((each) => each === path);

const listeners = new Set<() => void>();

/** Goes to another page of the door without loading it anew, so that its messages stay. */
export function replaceAddress(address: string): void {
  history.replaceState(null, '', address);
  for (const listener of listeners) listener();
}

/** Leaves for a page of the frame, which is a document of its own. Never settles: nothing here comes after it. */
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
 * The page's address. The build draws `path` without the query and what stands behind the `#`, which only the browser
 * knows: the first drawing in the browser is the same, and the second has them.
 */
export function useDoorAddress(path: DoorPath): URL {
  const address = useSyncExternalStore(
    subscribe,
    () => location.href,
    () => `http://door${path}`,
  );
  return new URL(address);
}

/** A page of the door, with where to go after it: `/signup?next=%2Fservers`. */
export function doorHref(path: DoorPath, next: string | undefined): string {
  return next === undefined ? path : `${path}?${new URLSearchParams({ next })}`;
}
