import { expect, test } from 'vitest';
import { attachKeys } from './terminal-keys.ts';

test('Tab goes to the program while a session is open, and else to the page', () => {
  let isOpen = false;
  let reaches: (event: KeyboardEvent) => boolean = () => false;
  attachKeys(
    {
      getSelection: () => '',
      attachCustomKeyEventHandler(handler) {
        reaches = handler;
      },
    },
    () => isOpen,
  );
  const key = (code: string) => reaches({ type: 'keydown', code } as KeyboardEvent);
  expect([key('Tab'), key('KeyA')]).toEqual([false, true]);
  isOpen = true;
  expect([key('Tab'), key('KeyA')]).toEqual([true, true]);
  isOpen = false;
  expect(key('Tab')).toBe(false);
});
