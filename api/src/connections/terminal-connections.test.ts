import { randomBytes, randomUUID } from 'node:crypto';
import { agentSubprotocol } from '@homeport/contract/connections/facts';
import { type ConsoleMessage, consoleMessageSchema } from '@homeport/contract/connections/schema';
import { terminalScopes } from '@homeport/contract/device/facts';
import { openingsPerMinute, terminalOpenings } from '@homeport/contract/limits';
import type { ProgramCall } from '@homeport/contract/program-calls/schema';
import { type RouteKey, routes } from '@homeport/contract/routes';
import { type TokenKind, tokenKinds, tokenScopes } from '@homeport/contract/tokens/facts';
import { worksOverTerminal } from '@homeport/contract/tokens/route-scope';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { bodyOf } from '../http/testing.ts';
import { type LinkedConsole, startLinkedConsole } from '../testing/linked-console.ts';
import { plantApp, plantToken } from '../testing/plant.ts';

let linked: LinkedConsole;
let appId: string;
/** Each opening counts for a minute. */
let passed = 0;
beforeAll(async () => {
  linked = await startLinkedConsole({ alsoNamed: 'homeport' }, {}, { clock: () => Date.now() + passed });
  ({ id: appId } = await plantApp(linked.api.store.db, linked.ines.userId, linked.server.id));
}, 60_000);
afterAll(() => linked?.[Symbol.asyncDispose]());
beforeEach(async () => {
  passed += 61_000;
  await setServer({ console_account: true, username: linked.host.sshd.user });
});

const setServer = (facts: Record<string, unknown>) =>
  linked.api.store.db.updateTable('servers').set(facts).where('id', '=', linked.server.id).execute();

const newToken = (kind: TokenKind = 'terminal', scopes: readonly string[] = terminalScopes) =>
  plantToken(linked.api.store.db, linked.ines.userId, { kind, scopes });

const newWord = () => randomBytes(32).toString('base64url');
const headersOf = (token: string, word?: string): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  ...(word !== undefined && { 'homeport-terminal': word }),
});

function socketWith(headers: Record<string, string>, serverId = linked.server.id): WebSocket {
  const { api } = linked;
  return new WebSocket(
    `${api.url.replace('http', 'ws')}/api/servers/${serverId}/connection`,
    agentSubprotocol,
    { headers },
  );
}

function openMessage(changes: object): string {
  const { host, server } = linked;
  return JSON.stringify({
    ...{ type: 'open', openId: randomUUID(), serverId: server.id, user: 'homeport', method: 'agent' },
    publicKey: host.signer.publicKeyBlob.toString('base64'),
    pin: host.sshd.hostKeyFingerprint,
    ...changes,
  });
}

/** An opening that is asked for its signature, and gives none. */
function openSilently(headers: Record<string, string>) {
  const socket = socketWith(headers);
  socket.on('error', () => {});
  const asked = new Promise<void>((resolve, reject) => {
    socket.on('close', () => reject(new Error('The console did not ask for a signature.')));
    socket.on('open', () => socket.send(openMessage({})));
    socket.on('message', (data) => {
      const { type } = consoleMessageSchema.parse(JSON.parse(String(data)));
      if (type === 'sign') resolve();
    });
  });
  return { asked, leave: () => socket.terminate() };
}

/** The last message of an opening, or the status with which the socket was refused. */
function openWith(
  headers: Record<string, string>,
  changes: object = {},
  inPlaceOf: (signature: Buffer) => Buffer = (signature) => signature,
  serverId = linked.server.id,
): Promise<ConsoleMessage | number> {
  const { host } = linked;
  const socket = socketWith(headers, serverId);
  return new Promise((resolve, reject) => {
    socket.on('error', () => {});
    socket.on('unexpected-response', (request, response) => {
      request.destroy();
      resolve(response.statusCode ?? 0);
    });
    socket.on('close', () => reject(new Error('The console closed the socket without a word.')));
    socket.on('open', () => socket.send(openMessage(changes)));
    socket.on('message', (data) => {
      const message = consoleMessageSchema.parse(JSON.parse(String(data)));
      if (message.type !== 'sign') return resolve(message);
      const part = (text: string) => Buffer.from(text, 'base64');
      const { hostKey, kexSignature, requestId } = message;
      host.signer
        .sign(
          { data: part(message.data), hostKey: part(hostKey), kexSignature: part(kexSignature) },
          AbortSignal.timeout(5_000),
        )
        .then(
          (signature) =>
            socket.send(
              JSON.stringify({
                type: 'signed',
                requestId,
                signature: inPlaceOf(signature).toString('base64'),
              }),
            ),
          reject,
        );
    });
  });
}

/** The code with which a route refuses, or its status. */
async function ask(
  key: string,
  headers: Record<string, string>,
  body?: Record<string, unknown>,
): Promise<string | number> {
  const [method = '', path = ''] = key.split(' ');
  const stop = new AbortController();
  const response = await fetch(linked.api.url + path, {
    ...{ method, signal: stop.signal },
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const told = response.ok ? {} : ((await response.json()) as { code?: string });
  stop.abort();
  return told.code ?? response.status;
}
const logsOf = (headers: Record<string, string>) => ask(`GET /api/apps/${appId}/logs?follow=false`, headers);

describe('a terminal', () => {
  it('opens a connection as homeport without an origin, and works over it', async () => {
    const { token } = await newToken();
    const mine = headersOf(token, newWord());
    expect(await logsOf(mine)).toBe('connection_required');
    expect(await openWith(mine)).toMatchObject({ type: 'ready' });
    expect(await logsOf(mine)).toBe(200);
    expect(linked.host.sshd.log()).toContain('Accepted publickey for homeport');
  });

  it('finds its connection by token and word together, and no other token or word does', async () => {
    const { token } = await newToken();
    const other = await newToken();
    const word = newWord();
    expect(await openWith(headersOf(token, word))).toMatchObject({ type: 'ready' });
    for (const headers of [headersOf(token), headersOf(token, newWord()), headersOf(other.token, word)])
      expect(await logsOf(headers)).toBe('connection_required');
    expect(await linked.ines.call('GET /api/connections')).not.toMatchObject({
      body: expect.arrayContaining([expect.objectContaining({ user: 'homeport' })]),
    });
    // Closing with another word closes nothing.
    const closing = `DELETE /api/servers/${linked.server.id}/connection`;
    expect(await ask(closing, headersOf(token, newWord()))).toBe(200);
    expect(await logsOf(headersOf(token, word))).toBe(200);
    expect(await ask(closing, headersOf(token, word))).toBe(200);
    expect(await logsOf(headersOf(token, word))).toBe('connection_required');
  });

  it('needs a word of 32 bytes, so that no connection belongs to the token alone', async () => {
    const { token } = await newToken();
    for (const word of [undefined, '', 'short', `${newWord()}x`, `${newWord().slice(1)}.`])
      expect(await openWith(headersOf(token, word)), String(word)).toBe(400);
  });

  it('shows a host key, and logs nobody in for that', async () => {
    const before = linked.host.sshd.log().length;
    const { token } = await newToken();
    expect(await openWith(headersOf(token, newWord()), { pin: null })).toMatchObject({
      type: 'host',
      fingerprint: linked.host.sshd.hostKeyFingerprint,
    });
    expect(linked.host.sshd.log().slice(before)).not.toContain('Accepted');
  });

  it.each<[string, object, Record<string, unknown>]>([
    ['as root', { user: 'root' }, {}],
    ['as the given account of the server', { user: 'given' }, { username: 'given' }],
    ['where the console has no account of its own', {}, { console_account: false }],
    ['where the given account is called homeport, too', {}, { username: 'homeport' }],
    ['with a password', { method: 'password', publicKey: undefined }, {}],
    ['with a signature that names no server', { plainAllowed: true }, {}],
  ])('opens nothing %s', async (_how, open, facts) => {
    await setServer({ console_account: true, ...facts });
    const before = linked.host.sshd.log().length;
    const { token } = await newToken();
    expect(await openWith(headersOf(token, newWord()), open)).toMatchObject({
      type: 'failed',
      code: 'auth_refused',
      message: expect.stringContaining('browser that holds the key'),
    });
    expect(linked.host.sshd.log().slice(before)).not.toContain('Connection from');
  });

  it('opens nothing on a server whose host key nobody has accepted', async () => {
    const { host_key_fingerprint } = await linked.api.store.db
      .selectFrom('servers')
      .select('host_key_fingerprint')
      .where('id', '=', linked.server.id)
      .executeTakeFirstOrThrow();
    await setServer({ host_key_fingerprint: null });
    try {
      const { token } = await newToken();
      for (const pin of [null, linked.host.sshd.hostKeyFingerprint])
        expect(await openWith(headersOf(token, newWord()), { pin })).toMatchObject({ code: 'auth_refused' });
    } finally {
      await setServer({ host_key_fingerprint });
    }
  });

  it('opens nothing with another key than the server’s', async () => {
    const { token } = await newToken();
    const publicKey = randomBytes(51).toString('base64');
    expect(await openWith(headersOf(token, newWord()), { publicKey })).toMatchObject({ code: 'protocol' });
  });

  it('is noted with each connection that it opens or is refused, and not with a key that it was shown or what it closes', async () => {
    const { token, id } = await newToken();
    const mine = headersOf(token, newWord());
    await openWith(headersOf(token, newWord()), { pin: null });
    await openWith(headersOf(token, newWord()), { user: 'root' });
    await openWith(mine);
    await ask(`DELETE /api/servers/${linked.server.id}/connection`, mine);
    await expect
      .poll(async () =>
        bodyOf<ProgramCall[]>(await linked.ines.call(`GET /api/tokens/${id}/calls`), 200).map(
          ({ call, outcome }) => ({ call, outcome }),
        ),
      )
      .toEqual(['ok', 'refused'].map((outcome) => ({ call: 'GET /api/servers/:id/connection', outcome })));
  });

  it('has one pace for a server, however its id is spelled', async () => {
    const { token } = await newToken();
    const { id } = linked.server;
    const digits = [...id].flatMap((digit, at) => (/[a-f]/.test(digit) ? [at] : []));
    const spelled = (n: number) =>
      [...id].map((digit, at) => (at === digits[n] ? digit.toUpperCase() : digit)).join('');
    const answers: unknown[] = [];
    for (let n = 0; n <= openingsPerMinute; n += 1)
      answers.push(await openWith(headersOf(token, newWord()), { pin: null }, undefined, spelled(n)));
    expect(answers.at(-2)).toMatchObject({ type: 'host' });
    expect(answers.at(-1)).toMatchObject({ code: 'too_many' });
  });

  it('that cannot sign asks the server nothing, and keeps no browser out', async () => {
    const { token } = await newToken();
    const before = linked.host.sshd.log().length;
    expect(await openWith(headersOf(token, newWord()), {}, () => Buffer.alloc(64, 1))).toMatchObject({
      ...{ type: 'failed', code: 'agent_refused' },
    });
    expect(linked.host.sshd.log().slice(before)).not.toContain('Failed publickey');
    const silent = Array.from({ length: terminalOpenings }, () => openSilently(headersOf(token, newWord())));
    try {
      await Promise.all(silent.map(({ asked }) => asked));
      expect(await openWith(headersOf(token, newWord()))).toMatchObject({ code: 'too_many' });
      const other = await newToken();
      expect(await openWith(headersOf(other.token, newWord()))).toMatchObject({ code: 'too_many' });
      expect(await openWith({ cookie: linked.ines.cookie(), origin: linked.api.url }, {})).toMatchObject({
        type: 'ready',
      });
    } finally {
      for (const { leave } of silent) leave();
    }
  });
});

const noRecord = randomUUID();
const begun = async (id = appId) =>
  bodyOf<{ kind: string; appId: string | null }[]>(await linked.ines.call('GET /api/operations'), 200)
    .filter((each) => each.appId === id)
    .map(({ kind }) => kind);

describe('over a terminal’s connection', () => {
  it('no other route works than those few, whatever the scopes in the store', async () => {
    const { token } = await newToken('terminal', tokenScopes);
    const mine = headersOf(token, newWord());
    const ids: Record<string, string> = { apps: appId, servers: linked.server.id };
    const keys = (Object.keys(routes) as RouteKey[]).filter(
      (key) => /^GET \/api\/(apps|servers)\/:id\//.test(key) && !worksOverTerminal(key),
    );
    expect(keys.length).toBeGreaterThan(15);
    const answers = async () => {
      const all: [string, string | number][] = [];
      for (const key of keys) {
        const id = ids[key.split('/')[2] ?? ''] ?? '';
        all.push([key, await ask(key.replace(':id', id).replace(/:\w+/g, noRecord), mine)]);
      }
      return all;
    };
    const without = await answers();
    expect(without.map(([, answer]) => answer)).toContain('not_allowed');
    expect(await openWith(mine)).toMatchObject({ type: 'ready' });
    expect(await logsOf(mine)).toBe(200);
    expect(await answers()).toEqual(without);
  });

  it('work on an app begins, and without the connection nothing does: no lane is held', async () => {
    const { token } = await newToken();
    const mine = headersOf(token, newWord());
    const restart = `POST /api/apps/${appId}/restart`;
    expect(await ask(restart, headersOf(token))).toBe('not_allowed');
    expect(await ask(restart, mine)).toBe('connection_required');
    await setServer({ console_account: false });
    expect(await ask(restart, mine)).toBe('not_allowed');
    await setServer({ console_account: true });
    expect(await begun()).toEqual([]);
    expect(await openWith(mine)).toMatchObject({ type: 'ready' });
    for (const other of [headersOf(token), headersOf(token, newWord())])
      expect(await ask(restart, other)).not.toBe(202);
    for (const action of ['rebuild', 'destroy'])
      expect(await ask(`POST /api/apps/${appId}/${action}`, mine), action).toBe('not_allowed');
    expect(await begun()).toEqual([]);
    expect(await ask(restart, mine)).toBe(202);
    expect(await begun()).toEqual(['app.restart']);
  });

  it('a deploy takes the linked repository alone, makes no deploy key, and begins with a connection or not at all', async () => {
    const { id } = await plantApp(linked.api.store.db, linked.ines.userId, linked.server.id);
    await linked.api.store.db
      .updateTable('apps')
      .set({ repository: 'octo/site', repository_branch: 'main' })
      .where('id', '=', id)
      .execute();
    const { token } = await newToken();
    const mine = headersOf(token, newWord());
    const deploy = (changes: object = {}, headers = mine) =>
      ask(`POST /api/apps/${id}/deploy-commit`, headers, {
        ...{ repository: 'octo/site', ref: 'main' },
        ...changes,
      });
    expect(await deploy()).toBe('connection_required');
    expect(await deploy({}, headersOf(token))).toBe('not_allowed');
    expect(await openWith(mine)).toMatchObject({ type: 'ready' });
    expect(await deploy({}, headersOf(token, newWord()))).toBe('connection_required');
    expect(await deploy({ repository: 'eve/site' })).toBe('conflict');
    expect(await deploy({ way: 'key' })).toBe('not_allowed');
    const link = { version: 1, repository: { fullName: 'eve/site', branch: 'main' } };
    expect(await ask(`PUT /api/apps/${id}/repository`, mine, link)).toBe('not_allowed');
    expect(await begun(id)).toEqual([]);
  });

  it('nothing goes on once its token is revoked', async () => {
    const { token, id } = await newToken();
    const mine = headersOf(token, newWord());
    expect(await openWith(mine)).toMatchObject({ type: 'ready' });
    const before = linked.host.sshd.log().length;
    expect((await linked.ines.call(`DELETE /api/tokens/${id}`)).status).toBe(200);
    await expect.poll(() => linked.host.sshd.log().slice(before)).toMatch(/Disconnected from user homeport/);
    expect(await logsOf(mine)).toBe('not_signed_in');
  });
});

describe('nobody else', () => {
  it.each(tokenKinds.filter((kind) => kind !== 'terminal'))('as a %s opens a connection', async (kind) => {
    const { token } = await newToken(kind, tokenScopes);
    const mine = headersOf(token, newWord());
    expect(await openWith(mine)).toBe(403);
    expect(await logsOf(mine)).toBe('not_allowed');
    expect(await ask(`POST /api/apps/${appId}/restart`, mine)).toBe('not_allowed');
  });

  it('opens a connection with the token of a terminal that was approved before', async () => {
    const { token } = await newToken(
      'terminal',
      terminalScopes.filter((scope) => scope !== 'servers:connect'),
    );
    expect(await openWith(headersOf(token, newWord()))).toBe(403);
  });

  it('opens one with a cookie and no origin, from another website, or with an invented token', async () => {
    const { token } = await newToken();
    const word = newWord();
    const cookie = linked.ines.cookie();
    expect(await openWith({ cookie })).toBe(403);
    expect(await openWith({ ...headersOf(token, word), cookie })).toBe(403);
    expect(await openWith({ ...headersOf(token, word), origin: 'https://evil.example' })).toBe(403);
    expect(await openWith({ ...headersOf(token, word), 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await openWith({ authorization: 'Basic aG9tZXBvcnQ=', cookie })).toBe(403);
    expect(await openWith(headersOf(`homeport_${'a'.repeat(43)}`, word))).toBe(401);
  });

  it('of another account reaches the server', async () => {
    const eve = await linked.api.signUp(`eve${passed}`);
    const hers = await plantToken(linked.api.store.db, eve.userId, {
      kind: 'terminal',
      scopes: terminalScopes,
    });
    expect(await openWith(headersOf(hers.token, newWord()))).toMatchObject({ code: 'not_found' });
  });
});
