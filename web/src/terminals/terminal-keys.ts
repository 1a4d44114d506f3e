import type { Terminal } from '@xterm/xterm';
import { toast } from '../ui/feedback/toasts.ts';

/**
 * Keys that are the page's own and reach no program: copy, paste, and the way out for Tab, so that no keyboard is trapped. Without a
 * session Tab leaves by itself.
 */
export function attachKeys(
  terminal: Pick<Terminal, 'attachCustomKeyEventHandler' | 'getSelection'>,
  isOpen: () => boolean,
): void {
  let tabLeaves = false;
  terminal.attachCustomKeyEventHandler((event) => {
    const isDown = event.type === 'keydown';
    if (event.ctrlKey && !event.altKey && !event.shiftKey && event.code === 'KeyM') {
      if (isDown) {
        tabLeaves = !tabLeaves;
        toast.ok(tabLeaves ? 'Tab leaves the terminal' : 'Tab goes to the terminal');
        event.preventDefault();
      }
      return false;
    }
    if (event.ctrlKey && event.shiftKey && event.code === 'KeyC') {
      if (isDown) copySelection(terminal);
      event.preventDefault();
      return false;
    }
    // The browser's own paste follows, which the terminal hears.
    if (event.ctrlKey && event.shiftKey && event.code === 'KeyV') return false;
    return event.code !== 'Tab' || (isOpen() && !tabLeaves);
  });
}

/** By the person's own press alone; no program on the server can ask for it. */
export function copySelection(terminal: Pick<Terminal, 'getSelection'>): void {
  const text = terminal.getSelection();
  if (text === '') {
    toast.ok('Nothing is selected');
    return;
  }
  navigator.clipboard.writeText(text).then(
    () => toast.ok('Copied'),
    () => toast.bad('The browser did not allow to copy.'),
  );
}

/** What Ctrl makes of a letter (ASCII's control characters). */
export const withCtrl = (text: string): string =>
  text.length === 1 && /[a-z@[\\\]^_]/i.test(text)
    ? String.fromCharCode(text.toUpperCase().charCodeAt(0) & 31)
    : text;
