import { execFile, spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Problem } from '@homeport/contract/problems/schema';
import type { RouteSchemas } from '@homeport/contract/route';
import { type RouteKey, routes } from '@homeport/contract/routes';
import { readOnlyTexts } from '@homeport/contract/servers/closed';
import type { Server } from '@homeport/contract/servers/schema';
import { agentTokenHash } from '@homeport/store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyOf, startTestApi, type TestApi, type TestPerson } from '../http/testing.ts';
import { goodBody } from '../testing/good-bodies.ts';
import { namedKind, type Planted, plantOneOfEach, randomName } from '../testing/plant.ts';
import { textOfStore } from '../testing/text-of-store.ts';

let api: TestApi;
/** For the derived test, which plants a pair of servers for each route. */
let ada: TestPerson;
let ines: TestPerson;
beforeAll(async () => {
  api = await startTestApi({ signUps: 'open' });
  ada = await api.signUp('ada');
  ines = await api.signUp('ines');
});
afterAll(() => api?.[Symbol.asyncDispose]());

/** Every route that is about a server or something on one. */
const onServers = (Object.entries(routes) as [RouteKey, RouteSchemas][]).filter(
  ([key, { kind }]) =>
    kind !== 'socket' &&
    // For read-only servers alone, tested below.
    key !== 'POST /api/servers/:id/agent-line' &&
    (['servers', 'apps', 'databases', 'operations'].includes(namedKind(key) ?? '') ||
      key === 'POST /api/apps' ||
      key === 'POST /api/databases'),
);

async function plant(credential: 'key' | null): Promise<Planted> {
  const things = await plantOneOfEach(api.store.db, ada.userId);
  if (credential === null)
    await api.store.db.updateTable('servers').set({ credential }).where('id', '=', things.servers).execute();
  return things;
}

async function ask(key: RouteKey, route: RouteSchemas, things: Planted) {
  const address = key
    .replace(':id', things[namedKind(key) ?? 'servers'])
    .replace(':dump', '0'.repeat(16))
    .replace(':rule', things.rules);
  const body = route.body ? JSON.stringify({ ...goodBody(key, things), ...uninstall(key) }) : null;
  const stop = new AbortController();
  const response = await ada.open(address, {
    signal: stop.signal,
    ...(body === null ? {} : { body, headers: { 'content-type': 'application/json' } }),
    ...(route.kind === 'upload' && {
      body: new Uint8Array(8),
      headers: { 'content-type': 'application/octet-stream' },
    }),
  });
  const isJson = response.headers.get('content-type')?.includes('application/json');
  const told = isJson ? (((await response.json()) as Partial<Problem> | null) ?? {}) : {};
  stop.abort();
  return { status: response.status, code: told.code, message: told.message };
}

/** Without it, the removal does not touch the machine. */
const uninstall = (key: RouteKey) => (key === 'POST /api/servers/:id/remove' ? { uninstall: true } : {});

const refused = { status: 409, code: 'conflict', message: readOnlyTexts.run };
/** The routes that begin work on a server or ask it, as a server with a credential shows. */
const working = new Set<RouteKey>();

describe('a server without a credential', () => {
  it.each(onServers)('refuses what %s would do on the machine', async (key, route) => {
    const full = await ask(key, route, await plant('key'));
    const things = await plant(null);
    const answer = await ask(key, route, things);
    const isWork = full.status === 202 || full.code === 'connection_required';
    if (!isWork && !retries(key) && !allowsWork.includes(key)) {
      expect({ status: answer.status, code: answer.code }).toEqual({ status: full.status, code: full.code });
      return;
    }
    working.add(key);
    expect(answer).toEqual(refused);
    const begun = await api.store.db
      .selectFrom('operations')
      .select('id')
      .where('server_id', '=', things.servers)
      .where('state', 'in', ['queued', 'running', 'waiting'])
      .execute();
    expect(begun).toEqual([]);
  });

  it('was asked for every kind of work', () => {
    expect(working.size).toBeGreaterThan(45);
  });

  it('opens no connection', async () => {
    const { servers } = await plant(null);
    const { body } = await ada.call(`GET /api/servers/${servers}`);
    expect(body).toMatchObject({ credential: null });
  });
});

/** Nothing runs yet, and yet it is as pointless as what it would allow. */
const allowsWork: readonly RouteKey[] = [
  'POST /api/servers/:id/commands/allow',
  'POST /api/servers/:id/shell/allow',
];
const retries = (key: RouteKey) => key === 'POST /api/operations/:id/retry';

const add = async (credential: string | null, ip: string) =>
  ines.call('POST /api/servers', { name: 'shed', ip, credential, subdomain: randomName() });

describe('a read-only server', () => {
  it('is added without a credential, and becomes a full server with one', async () => {
    const server = bodyOf<Server>(await add(null, '127.0.0.21'), 201);
    expect(server).toMatchObject({ credential: null, setup: 'new' });
    const { keys } = await plantOneOfEach(api.store.db, ines.userId);
    const edit = { version: server.version, credential: keys };
    const full = bodyOf<Server>(await ines.call(`PATCH /api/servers/${server.id}`, edit), 200);
    expect(full.credential).toBe(keys);
    bodyOf(await ines.call(`POST /api/servers/${server.id}/install`), 202);
    const back = { version: full.version, credential: null };
    const busy = await ines.call(`PATCH /api/servers/${server.id}`, back);
    expect(busy).toMatchObject({ status: 409, body: { code: 'busy' } });
  });

  it('has no install line when Homeport installs the agent itself', async () => {
    const { servers } = await plantOneOfEach(api.store.db, ines.userId);
    expect(await ines.call(`POST /api/servers/${servers}/agent-line`)).toMatchObject({ status: 409 });
  });
});

describe('the install line', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'homeport-line-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const lineFor = async (id: string) =>
    bodyOf<{ line: string }>(await ines.call(`POST /api/servers/${id}/agent-line`), 201).line;
  const tokenOf = (line: string) => /printf '%s\\n' ([A-Za-z0-9_-]+)/.exec(line)?.[1] ?? '';

  /** Pastes a line into a shell. `sudo` notes every argument list of the machine, and installs beneath a folder. */
  async function paste(line: string) {
    const sudo = join(folder, 'sudo');
    const seen = join(folder, 'seen');
    await writeFile(
      sudo,
      `#!/usr/bin/env bash
for list in /proc/[0-9]*/cmdline; do tr '\\0' ' ' <"$list" 2>/dev/null; echo; done >${seen}
exec "$@" --root ${folder}/machine --scheduler none --user "$(id -un)"
`,
    );
    await chmod(sudo, 0o755);
    const child = spawn('bash', [], { env: { ...process.env, PATH: `${folder}:${process.env.PATH}` } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.stdin.end(`${line}\n`);
    const code = await new Promise((resolve) => child.on('close', resolve));
    return { code, output, seen: await readFile(seen, 'utf8') };
  }

  it('installs the agent with its token, which no argument list, log or row shows', async () => {
    const { id } = bodyOf<Server>(await add(null, '127.0.0.22'), 201);
    const line = await lineFor(id);
    const token = tokenOf(line);
    expect(token.length).toBeGreaterThan(20);
    const { code, output, seen } = await paste(line);
    expect(output).toContain('Homeport agent installed');
    expect(code).toBe(0);
    expect(seen).toContain('--url');
    expect(seen).not.toContain(token);
    expect((await readFile(join(folder, 'machine/etc/homeport-agent/token'), 'utf8')).trim()).toBe(token);
    expect(await readFile(join(folder, 'machine/etc/homeport-agent/agent.conf'), 'utf8')).toContain(api.url);
    await promisify(execFile)('bash', [
      '-n',
      join(folder, 'machine/usr/local/lib/homeport-agent/homeport-agent'),
    ]);
    expect(await textOfStore(api.store.db)).not.toContain(token);
    expect(api.logged.join('\n')).not.toContain(token);
  });

  it('gives way to a new one', async () => {
    const { id } = bodyOf<Server>(await add(null, '127.0.0.23'), 201);
    const [first, second] = [tokenOf(await lineFor(id)), tokenOf(await lineFor(id))];
    expect(first).not.toBe(second);
    const row = await api.store.db
      .selectFrom('servers')
      .select('agent_token_hash')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row.agent_token_hash).toEqual(agentTokenHash(second));
  });

  it('installs nothing where the script does not arrive', async () => {
    const { id } = bodyOf<Server>(await add(null, '127.0.0.24'), 201);
    const line = (await lineFor(id)).replace('/api/agent/install.sh', '/api/agent/nothing.sh');
    await rm(join(folder, 'machine'), { recursive: true, force: true });
    await paste(line);
    await expect(readFile(join(folder, 'machine/etc/homeport-agent/token'))).rejects.toThrow();
  });
});
