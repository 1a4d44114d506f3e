import { Terminal } from '@xterm/xterm';
import { expect, test } from 'vitest';
import { leaveUnanswered } from './unanswered.ts';

/** What the screen types when a program prints this. */
async function answersTo(printed: string): Promise<string[]> {
  const terminal = new Terminal({ allowProposedApi: true });
  leaveUnanswered(terminal.parser);
  const answers: string[] = [];
  terminal.onData((text) => answers.push(text));
  await new Promise<void>((resolve) => terminal.write(printed, resolve));
  terminal.dispose();
  return answers;
}

test.each([
  ['the clipboard', '\x1b]52;c;?\x07'],
  ['a colour', '\x1b]4;1;?\x07\x1b]10;?\x07\x1b]11;?\x07\x1b]12;?\x07'],
  ['a setting', '\x1bP$qm\x1b\\'],
  ['a mode of ANSI', '\x1b[4$p'],
  ['a mode of DEC', '\x1b[?1$p\x1b[?2004$p'],
  ['the title or the size of the window', '\x1b[21t\x1b[14t\x1b[18t'],
])('a program that asks for %s has no answer', async (_name, question) => {
  expect(await answersTo(question)).toEqual([]);
});

test('what editors ask is answered by numbers', async () => {
  expect(await answersTo('\x1b[5n\x1b[c\x1b[>c\x1b[6n\x1b[?6n')).toEqual([
    ...['\x1b[0n', '\x1b[?1;2c', '\x1b[>0;276;0c', '\x1b[1;1R', '\x1b[?1;1R'],
  ]);
});
