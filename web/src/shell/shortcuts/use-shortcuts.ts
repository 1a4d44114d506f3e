import { useLayoutEffect, useRef } from 'react';
import { readShortcut, type ShortcutAct, singleKeysOn } from './shortcuts.ts';

const sequenceMs = 1_200;

/**
 * Page-wide keys. Ctrl or Cmd K always works. Single letters work only outside fields and dialogs.
 *
 * @param early takes letters in place of the shortcuts, for a field that has not arrived yet; null: no field is awaited
 */
export function useShortcuts(
  run: (act: ShortcutAct) => void,
  early: ((letter: string) => void) | null,
): void {
  const latest = useRef({ run, early });
  latest.current = { run, early };
  // Runs before the paint, so that a key pressed right after it is not lost.
  useLayoutEffect(() => {
    let prefix: string | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onKey = (event: KeyboardEvent) => {
      if (
        (event.ctrlKey || event.metaKey) &&
        event.key.toLowerCase() === 'k' &&
        !event.shiftKey &&
        !event.altKey
      ) {
        event.preventDefault();
        latest.current.run({ kind: 'palette' });
        return;
      }
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (
        isTyping(event.target) ||
        document.querySelector('dialog[open], [role="dialog"], [role="alertdialog"]')
      )
        return;
      if (latest.current.early) {
        if (event.key.length > 1) return;
        event.preventDefault();
        latest.current.early(event.key);
        return;
      }
      if (!singleKeysOn()) return;
      const read = readShortcut(prefix, event.key);
      prefix = read.prefix;
      clearTimeout(timer);
      if (prefix) {
        timer = setTimeout(() => {
          prefix = null;
        }, sequenceMs);
      }
      if (!read.act) return;
      event.preventDefault();
      latest.current.run(read.act);
    };
    document.addEventListener('keydown', onKey);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('keydown', onKey);
    };
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable) return true;
  return target.matches(
    'textarea, select, input:not([type="radio"], [type="checkbox"], [type="range"], [type="button"])',
  );
}

/** Moves focus to the link of the next or previous row of the page's first table. */
export function moveRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main tr[data-row]')];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const row = rows[Math.min(rows.length - 1, Math.max(0, at < 0 ? 0 : at + step))];
  row?.querySelector<HTMLElement>('a.name, a')?.focus();
}
