import { expect, test } from 'vitest';
import { canBeStopped, commandWords, refusalOfWords } from './facts.ts';

test('ordinary words pass as they are, options and quotes included', () => {
  for (const words of [
    ['rails', 'db:migrate'],
    ['python', 'manage.py', 'createsuperuser', '--noinput', '--email', 'a b@example.com', ''],
    ['sh', '-c', 'echo "$HOME"; ls --app | wc -l && true'],
    ['npm', 'run', 'seed', '--', '--force', '--quiet'],
    ['echo', '$(id)', '`id`', "it's", '; id', '\\'],
  ])
    expect(refusalOfWords(words)).toBeNull();
});

test('a word that Dokku takes for itself is refused wherever it stands', () => {
  for (const word of [
    '--app',
    '--trace',
    '--label',
    '--label=x',
    '--label-file=/home/dokku/.ssh/authorized_keys',
    '--x --label-file=/etc/passwd',
    '--x\t--label=y',
    '--x\n--label=y',
    '--x\\x20--label-file=/etc/passwd',
    '--x\\040--label=y',
  ]) {
    expect(refusalOfWords(['echo', word, 'other'])).toMatch(/^Dokku takes --/);
    expect(refusalOfWords(['sh', '-c', `echo ${word}`])).toBeNull();
  }
});

test('the first word is a program', () => {
  expect(refusalOfWords([])).toBe('Enter a command.');
  expect(refusalOfWords([''])).toBe('Enter a command.');
  for (const word of ['-x', '--', '--env=A=1', '-e'])
    expect(refusalOfWords([word, 'ls'])).toMatch(/^Begin with/);
});

test('the number of words and of their characters is bounded', () => {
  const { most, characters } = commandWords;
  expect(refusalOfWords(Array<string>(most).fill('a'))).toBeNull();
  expect(refusalOfWords(Array<string>(most + 1).fill('a'))).toBe(`Use at most ${most} words.`);
  expect(refusalOfWords(['a'.repeat(characters)])).toBeNull();
  expect(refusalOfWords(['a', 'a'.repeat(characters)])).toBe(`Use at most ${characters} characters.`);
});

test('what runs can be stopped, paused or not, and what has ended cannot', () => {
  expect(['running', 'paused', 'restarting'].every(canBeStopped)).toBe(true);
  expect(['exited', 'dead', 'created', 'removing'].some(canBeStopped)).toBe(false);
});
