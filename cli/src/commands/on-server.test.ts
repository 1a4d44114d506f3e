import { writeFileSync } from 'node:fs';
import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { deployApp, type LinkedConsole, startLinkedConsole } from '@homeport/api/testing';
import { plantToken } from '@homeport/api/testing/plant';
import { bodyOf, type TestPerson } from '@homeport/api/testing/test-api';
import type { App } from '@homeport/contract/apps/schema';
import { terminalScopes } from '@homeport/contract/device/facts';
import type { TokenScope } from '@homeport/contract/tokens/facts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSshAgent, type TestAgent } from '../testing/ssh-agent.ts';
import { testHome } from '../testing/terminal.ts';

/** Each opening counts for a minute. */
let passed = 0;
let keys = 0;
let linked: LinkedConsole;
let ines: TestPerson;
let app: App;
let token: string;
let agent: TestAgent;
let home: ReturnType<typeof testHome>;

const program = `
console.log('first word');
console.log('second word \\u001b[31mred\\u001b[2J');
const { createServer } = require('node:http');
createServer((request, response) => { console.log('asked for ' + request.url); response.end('ok'); }).listen(process.env.PORT);
`;

beforeAll(async () => {
  linked = await startLinkedConsole({ alsoNamed: 'homeport' }, {}, { clock: () => Date.now() + passed });
  ines = linked.ines;
  app = await deployApp(ines, linked, { Procfile: 'web: node web.js\n', 'web.js': program });
  ({ token } = await newToken(terminalScopes));
}, 180_000);
afterAll(() => linked?.[Symbol.asyncDispose]());
beforeEach(async () => {
  passed += 61_000;
  agent = await startSshAgent();
  home = testHome();
  await useKey();
});
afterEach(async () => {
  await agent?.[Symbol.asyncDispose]();
  home?.[Symbol.dispose]();
});

const newToken = (scopes: readonly TokenScope[], kind: 'terminal' | 'program' = 'terminal') =>
  plantToken(linked.api.store.db, ines.userId, { kind, scopes });

/** Makes a key the one of the server and of its account `homeport`, and puts it into the agent. */
async function useKey(type: 'ed25519' | 'ecdsa' | 'rsa' = 'ed25519', add: string[] | null = []) {
  keys += 1;
  const key = agent.makeKey(type, `${type}-${keys}`);
  await appendFile(linked.host.sandbox.authorizedKeysFile, `${key.publicLine}\n`);
  const stored = bodyOf<{ id: string; fingerprint: string }>(
    await ines.call('POST /api/keys', { name: `key ${keys}`, publicKey: key.publicLine }),
    201,
  );
  await setServer({ credential: stored.id, account_key: stored.fingerprint, console_account: true });
  if (add) key.add(...add);
  return { ...key, fingerprint: stored.fingerprint };
}

const setServer = (facts: Record<string, unknown>) =>
  linked.api.store.db.updateTable('servers').set(facts).where('id', '=', linked.server.id).execute();

const hostKey = () => linked.host.sshd.hostKeyFingerprint;
const run = (
  words: string[],
  given: Parameters<typeof home.run>[1] & { token?: string; command?: string } = {},
) =>
  home.run([given.command ?? 'logs', app.name, ...words], {
    ...given,
    env: {
      HOMEPORT_URL: linked.api.url,
      HOMEPORT_TOKEN: given.token ?? token,
      SSH_AUTH_SOCK: agent.path,
      ...given.env,
    },
  });
const trusting = (words: string[] = [], given: Parameters<typeof run>[1] = {}) =>
  run([...words, '--host-key', hostKey()], given);

describe('over a real sshd, signed by a real ssh-agent', () => {
  it('prints the last lines as the account homeport, and ends', async () => {
    const { exit, out, err } = await trusting();
    expect({ exit, err }).toEqual({
      exit: 0,
      err: expect.stringMatching(/^Connecting to lantern \(127\.0\.0\.1, port \d+, SHA256:.*\) as homeport/m),
    });
    const texts = out.split('\n').map((line) => line.split('\t')[2]);
    expect(texts).toContain('first word');
    // What a terminal would obey is replaced.
    expect(out).not.toContain('\u001b');
    expect(linked.host.sshd.log()).toMatch(/Accepted publickey for homeport/);
  });

  it.each(['ecdsa', 'rsa'] as const)('signs with an %s key', async (type) => {
    await useKey(type);
    expect((await trusting()).exit).toBe(0);
  });

  it('signs with a key that its agent asks about', async () => {
    await useKey('ed25519', ['-c']);
    expect((await trusting()).exit).toBe(0);
  });

  it('signs with a key that is for this server and account alone, and not with one for another account', async () => {
    const known = join(agent.folder, 'known_hosts');
    writeFileSync(known, `this.example ${linked.host.sshd.hostKey}\n`);
    await useKey('ed25519', ['-H', known, '-h', 'homeport@this.example']);
    expect((await trusting()).exit).toBe(0);
    await useKey('ed25519', ['-H', known, '-h', 'root@this.example']);
    const { exit, err } = await trusting();
    expect({ exit, err }).toEqual({ exit: 3, err: expect.stringContaining('agent refused') });
  });

  it('names the key that the agent lacks', async () => {
    const { fingerprint } = await useKey('ed25519', null);
    const { exit, err } = await trusting();
    expect({ exit, err }).toEqual({ exit: 4, err: expect.stringContaining(fingerprint) });
  });

  it('ends with 4 without an agent, with a dead one, and with a forwarded one that nobody allowed', async () => {
    expect((await trusting([], { env: { SSH_AUTH_SOCK: '' } })).exit).toBe(4);
    const forwarded = { env: { SSH_CONNECTION: '192.0.2.1 1 192.0.2.2 22' } };
    expect((await trusting([], forwarded)).err).toContain('--forwarded-agent');
    expect((await trusting(['--forwarded-agent'], forwarded)).exit).toBe(0);
    await agent.kill();
    expect((await trusting()).exit).toBe(4);
  });

  it('prints each event as JSON, and the lines that were asked for', async () => {
    const { exit, out } = await trusting(['--json', '-n', '1', '-p', 'web']);
    expect(exit).toBe(0);
    const events = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.at(-1)).toEqual({ type: 'ended', reason: null });
    expect(events.flatMap(({ lines = [] }) => lines)).toHaveLength(1);
  });

  it('follows with -f until Ctrl-C', async () => {
    const stop = new AbortController();
    const { exit, out } = await trusting(['-f'], {
      interrupted: stop.signal,
      onOut: (text) => text.includes('first word') && stop.abort(),
    });
    expect({ exit, out }).toEqual({ exit: 130, out: expect.stringContaining('first word') });
  });
});

describe('the host key', () => {
  it('is asked about once, with its fingerprint, and kept', async () => {
    const asked = await run([], { canAsk: true, input: 'yes\r' });
    expect(asked.exit).toBe(0);
    expect(asked.err).toContain(hostKey());
    const again = await run([]);
    expect(again.exit).toBe(0);
    expect(again.err).not.toContain('does not know it yet');
  });

  it('that the person does not accept ends with 3, and nothing is signed', async () => {
    const before = linked.host.sshd.log().length;
    expect((await run([], { canAsk: true, input: 'no\r' })).exit).toBe(3);
    expect(linked.host.sshd.log().slice(before)).not.toContain('Accepted');
  });

  it('is not asked about where nobody can answer: 6, with the words that would', async () => {
    const { exit, err } = await run([]);
    expect({ exit, err }).toEqual({ exit: 6, err: expect.stringContaining(`--host-key ${hostKey()}`) });
  });

  it('is known from known_hosts, and another key there is refused with 9', async () => {
    const { host, port, hostKey: line } = linked.host.sshd;
    await mkdir(join(home.home, '.ssh'));
    const known = join(home.home, '.ssh/known_hosts');
    writeFileSync(known, `[${host}]:${port} ${agent.makeKey('ed25519', 'another').publicLine}\n`);
    expect((await run([])).exit).toBe(9);
    writeFileSync(known, `[${host}]:${port} ${line}\n`);
    const { exit, err } = await run([]);
    expect({ exit, err }).toEqual({ exit: 0, err: expect.stringContaining('known_hosts:1') });
  });

  it('that is not the named one is refused with 9, also where the console has it', async () => {
    const { exit, err } = await run(['--host-key', `SHA256:${'a'.repeat(43)}`]);
    expect({ exit, err }).toEqual({ exit: 9, err: expect.stringContaining('not the one that you named') });
  });

  it('of a server that the console describes in another way is asked about again: 6 where nobody can answer', async () => {
    expect((await trusting()).exit).toBe(0);
    await setServer({ name: 'lighthouse' });
    try {
      const before = linked.host.sshd.log().length;
      const { exit, err } = await run([]);
      expect({ exit, err }).toEqual({
        exit: 6,
        err: expect.stringContaining('knows it as lantern (127.0.0.1'),
      });
      expect((await run([], { canAsk: true, input: 'no\r' })).exit).toBe(3);
      expect(linked.host.sshd.log().slice(before)).not.toContain('Accepted');
      expect((await run([], { canAsk: true, input: 'yes\r' })).exit).toBe(0);
      expect((await run([])).exit).toBe(0);
    } finally {
      await setServer({ name: 'lantern' });
    }
  });

  it('that the console changed for itself is refused with 9', async () => {
    expect((await trusting()).exit).toBe(0);
    const changed = `SHA256:${'b'.repeat(43)}`;
    await setServer({ host_key_fingerprint: changed });
    try {
      expect((await run([])).exit).toBe(9);
    } finally {
      await setServer({ host_key_fingerprint: hostKey() });
    }
  });
});

it('stops, starts and restarts an app as the account homeport, and follows the work to its end', async () => {
  for (const command of ['stop', 'start', 'restart']) {
    passed += 61_000;
    const { exit, out, err } = await trusting([], { command });
    expect({ command, exit, out }).toEqual({ command, exit: 0, out: expect.stringMatching(/^Done\t/) });
    expect(err).toMatch(/^Connecting to lantern \(127\.0\.0\.1, port \d+, SHA256:.*\) as homeport/m);
  }
  const asJson = await trusting(['--json'], { command: 'restart' });
  expect(asJson.exit).toBe(0);
  const last = JSON.parse(asJson.out.trim().split('\n').at(-1) ?? '');
  expect(last).toMatchObject({ type: 'state', operation: { kind: 'app.restart', state: 'succeeded' } });
}, 60_000);

describe('waits for a browser', () => {
  it('where the work is root’s: the console names no connection that a terminal could open', async () => {
    await setServer({ console_account: false });
    const before = linked.host.sshd.log().length;
    for (const command of ['logs', 'restart']) {
      const { exit, err } = await trusting([], { command });
      expect({ exit, err }).toEqual({ exit: 4, err: expect.stringContaining('browser that holds the key') });
    }
    expect(linked.host.sshd.log().slice(before)).not.toContain('Accepted');
  });

  it.each<[string, () => Promise<{ token: string }>]>([
    ['of a program', () => newToken(terminalScopes, 'program')],
    [
      'of a terminal that was approved before',
      () => newToken(terminalScopes.filter((scope) => scope !== 'servers:connect')),
    ],
  ])('with a token %s', async (_whose, make) => {
    const own = (await make()).token;
    for (const command of ['logs', 'restart']) {
      const { exit, err } = await trusting([], { token: own, command });
      expect({ exit, err }).toEqual({ exit: 4, err: expect.stringContaining('a browser opens') });
    }
  });
});
