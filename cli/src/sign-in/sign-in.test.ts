import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answerJson, type LyingConsole, someToken, startLyingConsole } from '../testing/lying-console.ts';
import { testHome } from '../testing/terminal.ts';

let home: ReturnType<typeof testHome>;
let console: LyingConsole;
beforeEach(async () => {
  home = testHome();
  console = await startLyingConsole(({ url, headers }, response) => {
    if (url === '/api/configuration') answerJson(response, { version: '1.2.3' });
    else if (headers.authorization === `Bearer ${someToken}`) answerJson(response, []);
    else answerJson(response, { code: 'not_signed_in', message: 'No.', recovery: 'Sign in.' }, 401);
  });
});
afterEach(async () => {
  home[Symbol.dispose]();
  await console[Symbol.asyncDispose]();
});

const credentials = () => join(home.folder, 'credentials.json');
const typed = () =>
  home.run(['login', '--token-stdin'], { canAsk: true, input: `${console.url}\r${someToken}\r` });
const modeOf = (path: string) => statSync(path).mode & 0o777;

describe('login', () => {
  it('asks for the address and for the token, and never shows the token', async () => {
    const { exit, out, err, rawModes } = await typed();
    expect(exit).toBe(0);
    expect(err).toContain('Signed in to');
    expect(err).toContain(console.url);
    expect(out + err).not.toContain(someToken);
    expect(out + err).not.toContain('aaaa');
    // The terminal echoes nothing during a question, and everything after it.
    expect(rawModes).toEqual([true, false, true, false]);
    expect((await home.run(['apps'])).exit).toBe(0);
  });

  it('keeps the token in a file that only its person may read', async () => {
    await typed();
    expect(modeOf(credentials())).toBe(0o600);
    expect(modeOf(home.folder)).toBe(0o700);
    expect(JSON.parse(readFileSync(credentials(), 'utf8'))).toEqual({ tokens: { [console.url]: someToken } });
    expect(readFileSync(join(home.folder, 'config.json'), 'utf8')).not.toContain(someToken);
  });

  it('reads the token from a pipe', async () => {
    const login = ['login', console.url, '--token-stdin', '--json'];
    const { exit, out } = await home.run(login, { input: `${someToken}\n` });
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toEqual({ console: console.url, version: '1.2.3', account: null });
  });

  it.each([
    [['login', '--token', someToken]],
    [['login', `--token=${someToken}`]],
    [['apps', '--token', someToken]],
  ])('takes no token as an argument, and does not repeat it', async (argv) => {
    const { exit, out, err } = await home.run(argv);
    expect(exit).toBe(2);
    expect(out + err).not.toContain(someToken);
    expect(console.heard).toEqual([]);
  });

  it('asks nobody where nobody can answer: 6, with the words that would answer', async () => {
    const { exit, err } = await home.run(['login', console.url]);
    expect(exit).toBe(6);
    expect(err).toContain('--token-stdin');
    expect((await home.run(['login'])).exit).toBe(6);
  });

  it('sends nothing that is no API token', async () => {
    const { exit, err } = await home.run(['login', console.url, '--token-stdin'], { input: 'ghp_secret\n' });
    expect(exit).toBe(2);
    expect(err).not.toContain('ghp_secret');
    expect(console.heard.map(({ path }) => path)).toEqual(['/api/configuration']);
    expect(console.heard[0]?.headers.authorization).toBeUndefined();
  });

  it('keeps no token that the console does not know', async () => {
    const other = someToken.replaceAll('a', 'b');
    const { exit } = await home.run(['login', console.url, '--token-stdin'], { input: other });
    expect(exit).not.toBe(0);
    expect(() => statSync(credentials())).toThrow();
  });

  it('ends at Ctrl-C with 130, and gives the terminal its echo back', async () => {
    const { exit, rawModes } = await home.run(['login', console.url, '--token-stdin'], {
      canAsk: true,
      input: 'home\u0003',
    });
    expect({ exit, last: rawModes.at(-1) }).toEqual({ exit: 130, last: false });
  });
});

describe('a kept token', () => {
  beforeEach(typed);

  it('is not used while others may read its file', async () => {
    chmodSync(credentials(), 0o640);
    console.heard.length = 0;
    const { exit, err } = await home.run(['apps']);
    expect(exit).toBe(4);
    expect(err).toContain('chmod 600');
    expect(console.heard).toEqual([]);
  });

  it('goes to the console for which it was kept, and to no other', async () => {
    await using other = await startLyingConsole((_request, response) => answerJson(response, []));
    const { exit } = await home.run(['apps'], { env: { HOMEPORT_URL: other.url } });
    expect(exit).toBe(4);
    expect(other.heard).toEqual([]);
  });

  it('gives way to HOMEPORT_TOKEN, which has to look like a token', async () => {
    const other = `homeport_${'c'.repeat(43)}`;
    expect((await home.run(['apps'], { env: { HOMEPORT_TOKEN: other } })).exit).toBe(4);
    const wrong = await home.run(['apps'], { env: { HOMEPORT_TOKEN: 'my-password' } });
    expect(wrong.exit).toBe(2);
    expect(wrong.err).not.toContain('my-password');
  });

  it('is gone after logout', async () => {
    expect((await home.run(['logout'])).exit).toBe(0);
    expect(readFileSync(credentials(), 'utf8')).not.toContain(someToken);
    expect((await home.run(['apps'])).exit).toBe(4);
  });

  it('stands where XDG_CONFIG_HOME says, and a relative path there does not count', async () => {
    const env = { XDG_CONFIG_HOME: join(home.home, 'elsewhere') };
    expect((await home.run(['apps'], { env })).exit).toBe(4);
    expect((await home.run(['apps'], { env: { XDG_CONFIG_HOME: 'elsewhere' } })).exit).toBe(0);
  });
});

it('without any sign-in a command ends with 4 and names login', async () => {
  const { exit, err } = await home.run(['apps']);
  expect(exit).toBe(4);
  expect(err).toContain('homeport login');
});
