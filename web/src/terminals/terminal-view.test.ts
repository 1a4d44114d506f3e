import { terminalEnds } from '@homeport/contract/terminals/facts';
import { expect, test } from 'vitest';
import { endedText } from './ended-text.ts';
import { withCtrl } from './terminal-keys.ts';
import { firstView, nextView } from './terminal-view.ts';

test('a session opens, warns, goes on and ends with a reason', () => {
  let view = nextView(firstView, { type: 'ready', endsAt: 9 });
  expect(view).toMatchObject({ phase: 'open', endsAt: 9 });
  view = nextView(view, { type: 'time', endsAt: 5, soon: 'idle' });
  view = nextView(view, { type: 'replacing' });
  expect(view).toMatchObject({ soon: 'idle', endsAt: 5, replacing: true });
  view = nextView(view, { type: 'over', ended: { type: 'ended', why: 'exited', exitCode: 4 } });
  expect(view).toMatchObject({ phase: 'over', soon: null, why: 'the shell ended with exit code 4.' });
  expect(nextView(view, { type: 'begins' })).toEqual(firstView);
});

test('a refusal is said in the console’s own words', () => {
  expect(nextView(firstView, { type: 'refused', text: 'Not allowed.' })).toMatchObject({
    ...{ phase: 'over', why: 'Not allowed.' },
  });
});

test('each end has a text of its own', () => {
  const texts = [null, ...terminalEnds].map((why) => endedText(why && { why, exitCode: null }));
  expect(new Set(texts).size).toBe(texts.length);
  expect(endedText({ why: 'exited', exitCode: 137 })).toContain('its container was stopped');
});

test('Ctrl makes a control character of a letter, and leaves everything else', () => {
  expect([withCtrl('c'), withCtrl('D'), withCtrl('[')]).toEqual(['\x03', '\x04', '\x1b']);
  for (const text of ['1', 'ab', '\x1b[A', 'é']) expect(withCtrl(text)).toBe(text);
});
