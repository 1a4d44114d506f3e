import { type EntryPath, entries } from '../navigation/entries.ts';

/** The meaning of a key sequence. The page binds each meaning to an effect. */
export type ShortcutAct =
  | { kind: 'palette' }
  | { kind: 'sidebar' }
  | { kind: 'refresh' }
  | { kind: 'theme' }
  | { kind: 'help' }
  | { kind: 'next-row' }
  | { kind: 'previous-row' }
  | { kind: 'go'; path: EntryPath }
  | { kind: 'new'; what: NewThing };

export type NewThing = 'app' | 'server' | 'database' | 'proxy' | 'keypair';

export const newLetters: Record<string, NewThing> = {
  a: 'app',
  s: 'server',
  d: 'database',
  p: 'proxy',
  k: 'keypair',
};

const singles: Record<string, ShortcutAct> = {
  '/': { kind: 'palette' },
  '[': { kind: 'sidebar' },
  r: { kind: 'refresh' },
  t: { kind: 'theme' },
  '?': { kind: 'help' },
  j: { kind: 'next-row' },
  k: { kind: 'previous-row' },
};

/** Reads one key, given the prefix that was pressed before it (`g` or `n`). */
export function readShortcut(
  prefix: string | null,
  key: string,
): { prefix: string | null; act: ShortcutAct | null } {
  const letter = key.length === 1 ? key.toLowerCase() : key;
  if (prefix === 'g') {
    const entry = entries.find((each) => each.letter === letter);
    return { prefix: null, act: entry ? { kind: 'go', path: entry.path } : null };
  }
  if (prefix === 'n') {
    const what = newLetters[letter];
    return { prefix: null, act: what ? { kind: 'new', what } : null };
  }
  if (letter === 'g' || letter === 'n') return { prefix: letter, act: null };
  return { prefix: null, act: singles[letter] ?? null };
}

const storageKey = 'homeport.single-keys';

/** Whether single-letter keys are on. A user must be able to switch them off (WCAG 2.1.4). */
export function singleKeysOn(): boolean {
  try {
    return localStorage.getItem(storageKey) !== 'off';
  } catch {
    return true;
  }
}

export function setSingleKeys(on: boolean): void {
  try {
    if (on) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, 'off');
  } catch {
    // If the browser refuses storage, the keys stay as they are.
    return;
  }
}
