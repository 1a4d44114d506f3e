import { useSyncExternalStore } from 'react';

const key = 'homeport.sidebar';
const listeners = new Set<() => void>();

/** Whether the sidebar is a rail of icons. `before-paint.js` has set this browser's choice. */
const readRail = () => document.documentElement.dataset.sidebar === 'rail';

export function toggleRail(): void {
  const rail = !readRail();
  if (rail) document.documentElement.dataset.sidebar = 'rail';
  else delete document.documentElement.dataset.sidebar;
  for (const listener of listeners) listener();
  try {
    localStorage.setItem(key, rail ? 'rail' : 'full');
  } catch {
    // If the browser refuses storage, the choice holds for this page only.
    return;
  }
}

export function useRail(): boolean {
  return useSyncExternalStore(subscribe, readRail, () => false);
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
