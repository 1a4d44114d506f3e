import { expect, test } from 'vitest';
import { splitWords } from './split-words.ts';

test.each([
  ['rails db:migrate', ['rails', 'db:migrate']],
  ['  python   manage.py\tmigrate ', ['python', 'manage.py', 'migrate']],
  ['sh -c \'echo "$HOME"; ls | wc\'', ['sh', '-c', 'echo "$HOME"; ls | wc']],
  ['echo "a b" \'\' c"d"\'e f\'', ['echo', 'a b', '', 'cde f']],
  ['echo "say \\"hi\\" \\\\ \\n"', ['echo', 'say "hi" \\ \\n']],
  ["echo it\\'s a\\ b 'c\\d'", ['echo', "it's", 'a b', 'c\\d']],
  ['', []],
  ['   ', []],
  ['echo $HOME', ['echo', '$HOME']],
])('%s', (line, words) => {
  expect(splitWords(line)).toMatchObject({ words, open: false });
});

test('an open quote is told', () => {
  for (const line of ["echo 'a b", 'echo "a b', "echo it's"]) expect(splitWords(line).open).toBe(true);
  expect(splitWords('echo \\').words).toEqual(['echo', '\\']);
});

test('a sign that a shell would act on is told, unless it is quoted', () => {
  expect(splitWords('ls | wc').shellSign).toBe('|');
  expect(splitWords('echo $HOME > file').shellSign).toBe('$');
  for (const line of ["sh -c 'ls | wc'", 'echo "$HOME"', 'echo \\$5', 'rails db:migrate'])
    expect(splitWords(line).shellSign).toBeNull();
});
