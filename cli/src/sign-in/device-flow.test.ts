import { bodyOf, startTestApi, type TestApi, type TestPerson } from '@homeport/api/testing/test-api';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { answerJson, someToken, startLyingConsole } from '../testing/lying-console.ts';
import { testHome } from '../testing/terminal.ts';

const home = testHome();
let api: TestApi;
let ada: TestPerson;
beforeAll(async () => {
  api = await startTestApi({ signUps: 'open' });
  ada = await api.signUp('ada');
});
beforeEach(() => api.store.db.deleteFrom('attempts').execute());
afterAll(async () => {
  home[Symbol.dispose]();
  await api?.[Symbol.asyncDispose]();
});

const codeIn = (text: string) => /^ {4}(\w{4}-\w{4})$/m.exec(text)?.[1];

/** Runs `login`, and does `decide` with the code that it shows. */
async function login(decide: (id: string) => Promise<unknown>, name = 'laptop') {
  let shown = '';
  let deciding: Promise<unknown> | undefined;
  const ran = await home.run(['login', api.url], {
    canAsk: true,
    machine: { name, platform: 'Linux x64' },
    onErr: (text) => {
      shown += text;
      const code = codeIn(shown);
      if (code !== undefined)
        deciding ??= ada
          .call('POST /api/device/look', { code })
          .then((answer) => decide(bodyOf<{ id: string }>(answer, 200).id));
    },
    wait: async () => void (await deciding),
  });
  await deciding;
  return ran;
}

describe('login by a code', () => {
  it('shows a code and the console’s own page, and gets a token of this machine', async () => {
    const { exit, out, err } = await login((id) => ada.call(`POST /api/device/${id}/approve`));
    expect(exit).toBe(0);
    expect(err).toContain(`Open ${api.url}/device`);
    expect(err).toContain(`as ${ada.email}`);
    expect(out + err).not.toContain('homeport_');
    expect((await home.run(['apps'])).exit).toBe(0);
    expect((await home.run(['logout'])).exit).toBe(0);
  });

  it('names no address, whatever the machine is called', async () => {
    const { exit } = await login(
      (id) => ada.call(`POST /api/device/${id}/approve`),
      'https://www.example.com\\ada@host',
    );
    expect(exit).toBe(0);
    const tokens = bodyOf<{ name: string }[]>(await ada.call('GET /api/tokens'), 200);
    expect(tokens.map(({ name }) => name)).toContain('https----example.com-ada-host');
    expect((await home.run(['logout'])).exit).toBe(0);
  });

  it('ends with 3 when the person declines', async () => {
    const { exit } = await login((id) => ada.call(`POST /api/device/${id}/decline`));
    expect(exit).toBe(3);
    expect((await home.run(['apps'])).exit).toBe(4);
  });

  it('asks nobody where nobody can answer', async () => {
    const { exit, err } = await home.run(['login', api.url]);
    expect(exit).toBe(6);
    expect(err).toContain('--token-stdin');
  });
});

describe('a console that lies', () => {
  const codes = { device_code: 'd'.repeat(43), user_code: 'BDWP-HQPK', interval: 5, expires_in: 600 };
  async function against(answers: Record<string, unknown>) {
    await using console = await startLyingConsole(({ url = '' }, response) => {
      if (url === '/api/configuration') answerJson(response, { version: '1.2.3' });
      else
        answerJson(
          response,
          answers[url] ?? { code: 'not_found', message: 'No.', recovery: '' },
          answers[url] ? 200 : 404,
        );
    });
    const ran = await home.run(['login', console.url], { canAsk: true });
    return { ...ran, heard: console.heard.length, url: console.url };
  }

  it('sends nobody to another page, and its text reaches no terminal', async () => {
    const evil = 'https://evil.example/device?user_code=BDWP-HQPK';
    const { err, url } = await against({
      '/api/device': { ...codes, verification_uri: evil, verification_uri_complete: evil },
      '/api/device/token': { state: 'expired_token' },
    });
    expect(err).not.toContain('evil');
    expect(err).toContain(`${url}/device`);
  });

  it.each([
    ['a code with a sequence that a terminal obeys', { user_code: '\u001b[2JDWPHQPK' }],
    ['a code that is a sentence', { user_code: 'type your password here' }],
    ['a wait of a day', { interval: 86_400 }],
    ['a life of a day', { expires_in: 86_400 }],
  ])('is not obeyed: %s', async (_what, change) => {
    const { exit, err } = await against({ '/api/device': { ...codes, ...change } });
    expect(exit).toBe(1);
    expect(err).not.toContain('type this code');
  });

  it('that never answers is asked for ten minutes and not longer', async () => {
    const { exit, heard } = await against({
      '/api/device': codes,
      '/api/device/token': { state: 'authorization_pending' },
    });
    expect(exit).toBe(6);
    expect(heard).toBe(2 + 120);
  });

  it('that asks to slow down is asked less often each time', async () => {
    const { heard } = await against({ '/api/device': codes, '/api/device/token': { state: 'slow_down' } });
    expect(heard).toBeLessThan(2 + 20);
  });

  it('gives no token that is none', async () => {
    const { exit } = await against({
      '/api/device': codes,
      '/api/device/token': { state: 'approved', access_token: 'ghp_secret', account: 'x', more: someToken },
    });
    expect(exit).toBe(2);
  });

  it('that is older says so, and names the way that it knows', async () => {
    const { exit, err } = await against({});
    expect(exit).toBe(1);
    expect(err).toContain('--token-stdin');
  });
});
