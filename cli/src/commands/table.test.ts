import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { commandsPage } from '../document.ts';
import { testHome } from '../testing/terminal.ts';
import { flagsOf } from './command.ts';
import { commands } from './table.ts';

const home = testHome();
afterAll(() => home[Symbol.dispose]());
const names = commands.map(({ words }) => words.join(' '));

describe.each(commands)('the command $words', (command) => {
  const { words, args = [] } = command;

  it('is in --help, and has a help of its own with each of its flags', async () => {
    expect((await home.run(['--help'])).out).toContain(`\n  ${words.join(' ')}`);
    const { exit, out } = await home.run([...words, '--help']);
    expect(exit).toBe(0);
    for (const { name } of flagsOf(command)) expect(out).toContain(`--${name}`);
  });

  it('refuses a flag that it does not have, and an argument too many, with 2', async () => {
    const enough = args.map(({ oneOf }) => oneOf?.[0] ?? 'x');
    expect((await home.run([...words, ...enough, '--surely-not'])).exit).toBe(2);
    expect((await home.run([...words, ...enough, 'more'])).exit).toBe(2);
  });

  it('without its arguments or a sign-in says what is missing, and does nothing', async () => {
    if (command.asksConsole || args.length > 0) {
      const { exit, out, err } = await home.run([...words]);
      expect([2, 4, 6]).toContain(exit);
      expect(out).toBe('');
      expect(err).not.toBe('');
    }
  });
});

it('docs/cli.md is made from the table', () => {
  const page = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8');
  expect(page, 'run `npx tsx scripts/document-settings.ts`').toBe(commandsPage());
  for (const name of names) expect(page).toContain(`\`homeport ${name}`);
});

it('an unknown command ends with 2, and no command prints the help', async () => {
  expect((await home.run(['frobnicate'])).exit).toBe(2);
  expect((await home.run([])).out).toBe((await home.run(['--help'])).out);
  expect((await home.run(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
});

describe('completion', () => {
  const script = async (shell: string) => (await home.run(['completion', shell])).out;

  it('in bash offers commands, the next word, the values of an argument, and flags', async () => {
    const text = await script('bash');
    const offered = (line: string) => {
      const words = line.split(' ');
      const asked = `${text}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _homeport; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', asked], { encoding: 'utf8' });
      expect(stderr).toBe('');
      return stdout.split('\n').filter(Boolean);
    };
    expect(offered('homeport ').toSorted()).toEqual(
      [...new Set(commands.map(({ words }) => words[0]))].toSorted(),
    );
    expect(offered('homeport da')).toEqual(['databases']);
    expect(offered('homeport op ')).toEqual(['watch']);
    expect(offered('homeport completion ')).toEqual(['bash', 'zsh', 'fish']);
    expect(offered('homeport op watch --t')).toEqual(['--timeout']);
    expect(offered('homeport op watch some-id --j')).toEqual(['--json']);
    expect(offered('homeport apps --body')).toEqual([]);
    expect(offered('homeport api GET /api/apps --b')).toEqual(['--body']);
  });

  it.each(['bash', 'zsh', 'fish'])(
    'in %s knows every command and flag, and the shell can read it',
    async (shell) => {
      const text = await script(shell);
      for (const command of commands) {
        for (const word of command.words) expect(text).toContain(word);
        for (const { name } of flagsOf(command))
          expect(text).toContain(shell === 'fish' ? ` -l ${name}` : `--${name}`);
      }
      const asJson = await home.run(['completion', shell, '--json']);
      expect(JSON.parse(asJson.out)).toEqual({ shell, script: text });
      // Where a shell is not installed, only its text is looked at.
      const read = spawnSync(shell, ['-n'], { input: text, encoding: 'utf8' });
      if (!read.error)
        expect({ status: read.status, stderr: read.stderr }).toEqual({ status: 0, stderr: '' });
    },
  );
});
