import { useSyncExternalStore } from 'react';
import { expectToasts } from './expected-toasts.ts';

const kept = 'homeport.operation';

let openId: string | null = null;
let leftId: string | null = read();
const listeners = new Set<() => void>();

/** Shows an operation's window over any page. Until the user closes the window, a reload finds it (`takeLeftOperation`). */
export function openOperation(id: string): void {
  expectToasts(id);
  set(id);
}

/** The operation whose window was open when the page was reloaded. Answers once. */
export function takeLeftOperation(): string | null {
  const id = leftId;
  leftId = null;
  return id;
}

export function closeOperation(): void {
  set(null);
}

export function useOpenOperation(): string | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => openId,
  );
}

function set(id: string | null) {
  openId = id;
  try {
    if (id === null) sessionStorage.removeItem(kept);
    else sessionStorage.setItem(kept, id);
  } catch {
    // Without storage the window does not return after a reload.
  }
  for (const listener of listeners) listener();
}

function read(): string | null {
  try {
    return sessionStorage.getItem(kept);
  } catch {
    return null;
  }
}
