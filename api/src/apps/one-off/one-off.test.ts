import { securityEventsKept } from '@homeport/contract/account/facts';
import type { SecurityEvent } from '@homeport/contract/account/schema';
import { commandsInBackground } from '@homeport/contract/apps/one-off/facts';
import type { RunningCommands } from '@homeport/contract/apps/one-off/schema';
import type { App } from '@homeport/contract/apps/schema';
import type { Operation, RanCommand } from '@homeport/contract/operations/schema';
import type { Server } from '@homeport/contract/servers/schema';
import { ownerFromSession } from '@homeport/store';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodyOf } from '../../http/testing.ts';
import { deployApp } from '../../testing/deploy-app.ts';
import { type LinkedConsole, startLinkedConsole } from '../../testing/linked-console.ts';
import { begin, followToEnd, runToEnd, succeeded } from '../../testing/page.ts';
import { beginRunEvent } from './run-event.ts';

const server =
  'require("http").createServer((_, answer) => answer.end("ahoy")).listen(process.env.PORT); console.log("up")';

let linked: LinkedConsole;
let app: App;
beforeAll(async () => {
  linked = await startLinkedConsole();
  app = await deployApp(linked.ines, linked, { 'server.js': server, Procfile: 'web: node server.js\n' });
}, 180_000);
afterAll(() => linked?.[Symbol.asyncDispose]());

const route = () => `POST /api/apps/${app.id}/commands`;
const runWords = (words: string[], background = false) =>
  runToEnd(linked.ines, route(), { words, background });
const allow = (way: 'allow' | 'forbid') =>
  linked.ines.call(`POST /api/servers/${linked.server.id}/commands/${way}`);
const events = async () =>
  bodyOf<SecurityEvent[]>(await linked.ines.call('GET /api/security-events'), 200).filter(({ kind }) =>
    kind.startsWith('command'),
  );
const listed = async () =>
  bodyOf<RunningCommands>(await linked.ines.call(`GET /api/apps/${app.id}/commands`), 200).commands;
const outputOf = async (container: string) =>
  linked.ines.call(`GET /api/apps/${app.id}/commands/output?container=${container}`);

test('no command runs until the owner of the server has allowed commands there', async () => {
  expect(await linked.ines.call(route(), { words: ['ls'] })).toMatchObject({
    status: 403,
    body: { code: 'not_allowed', message: expect.stringContaining('are not allowed in the apps of') },
  });
  expect(bodyOf<Server>(await allow('allow'), 200).commandsAllowed).toBe(true);
  // What is allowed already is no news.
  await allow('allow');
  expect((await events()).map(({ kind, subject }) => [kind, subject])).toEqual([
    ['commands_allowed', linked.server.name],
  ]);
});

test('another account can neither allow, run, list, read nor stop', async () => {
  const eve = await linked.api.signUp('eve');
  const of = `/api/apps/${app.id}/commands`;
  for (const [key, body] of [
    [`POST /api/servers/${linked.server.id}/commands/allow`, undefined],
    [`POST /api/servers/${linked.server.id}/commands/forbid`, undefined],
    [`POST ${of}`, { words: ['ls'] }],
    [`POST ${of}/stop`, { container: `${app.longname}.run.1` }],
    [`GET ${of}`, undefined],
    [`GET ${of}/output?container=${app.longname}.run.1`, undefined],
  ] as const)
    expect((await eve.call(key, body)).status).toBe(404);
});

test('the words reach the program as they are, and their output stands in the log', async () => {
  const words = [
    'node',
    '-e',
    'console.log(JSON.stringify(process.argv.slice(1)))',
    "it's",
    '$(id)',
    'a  b',
    '--force',
  ];
  const { operation, lines } = await runWords(words);
  succeeded({ operation, lines });
  expect(operation).toMatchObject({ title: 'Run node', result: { exitCode: 0 } });
  expect(lines.map(({ text }) => text)).toContain(JSON.stringify(words.slice(3)));
  const ran = bodyOf<RanCommand[]>(
    await linked.ines.call(`GET /api/operations/${operation.id}/commands`),
    200,
  );
  expect(ran.at(-1)?.command).toContain(`dokku run --no-tty --ttl-seconds 3600 ${app.longname} node -e`);
}, 60_000);

test('an exit code other than 0 is told, once, and the event says how long it took and no word of the command', async () => {
  const { operation } = await runWords(['sh', '-c', 'echo secret-word >&2; exit 3']);
  expect(operation).toMatchObject({
    state: 'failed',
    result: { exitCode: 3 },
    problem: { code: 'remote_failed', message: 'The command ended with exit code 3.' },
  });
  const [last] = await events();
  expect(last).toMatchObject({ kind: 'command_run' });
  expect(last?.subject).toMatch(new RegExp(`^${app.name} on ${linked.server.name}: \\d+ s, exit code 3$`));
  expect(JSON.stringify(await events())).not.toContain('secret-word');
}, 60_000);

test('words that Dokku takes for itself, and none, begin nothing', async () => {
  for (const words of [
    ['ls', '--app', 'other'],
    ['-x'],
    ['ls', '--label-file=/etc/passwd'],
    ['ls', '--trace'],
    [],
  ])
    expect((await linked.ines.call(route(), { words })).status).toBe(400);
});

test('a command in the background is listed with its output, and stopped', async () => {
  const words = ['sh', '-c', 'echo "from the background"; exec sleep 600'];
  const begun = await runWords(words, true);
  succeeded(begun);
  expect(begun.operation.title).toBe('Run sh in the background');
  const [command] = await listed();
  if (!command) throw new Error('It is listed.');
  expect(command).toMatchObject({ state: 'running', command: expect.stringContaining('sleep 600') });
  await expect
    .poll(async () => (await outputOf(command.container)).body, { timeout: 20_000 })
    .toEqual({ lines: ['from the background'] });
  expect((await events())[0]?.subject).toBe(`${app.name} on ${linked.server.name}: in the background`);
  const stopped = await runToEnd(linked.ines, `POST /api/apps/${app.id}/commands/stop`, {
    container: command.container,
  });
  succeeded(stopped);
  expect(await listed()).toEqual([]);
}, 90_000);

test('nothing but a container of the app’s own commands is read or stopped', async () => {
  await linked.host.dokku('apps:create', 'other');
  for (const container of ['other.run.1', `${app.longname}.run.99999`]) {
    const { operation } = await runToEnd(linked.ines, `POST /api/apps/${app.id}/commands/stop`, {
      container,
    });
    expect(operation.steps[0]).toMatchObject({ state: 'skipped', note: 'The command has ended already.' });
    expect((await outputOf(container)).status).toBe(404);
  }
  for (const container of [`${app.longname}.web.1`, 'dokku.postgres.x', 'x;id.run.1']) {
    const stop = await linked.ines.call(`POST /api/apps/${app.id}/commands/stop`, { container });
    expect(stop.status).toBe(400);
    expect((await outputOf(encodeURIComponent(container))).status).toBe(400);
  }
}, 60_000);

test('a command that runs is stopped from the list, and its own operation tells the exit code', async () => {
  const { id } = await begin(linked.ines, route(), { words: ['sh', '-c', 'echo up; exec sleep 600'] });
  const container = () => listed().then(([command]) => command?.container);
  await expect.poll(container, { timeout: 30_000 }).toBeDefined();
  await runToEnd(linked.ines, `POST /api/apps/${app.id}/commands/stop`, { container: await container() });
  const { operation } = await followToEnd(linked.ines, id);
  expect(operation).toMatchObject({ state: 'failed', result: { exitCode: 143 } });
}, 90_000);

test('a command that is cancelled ends on the server, and is not repeated', async () => {
  const { id } = await begin(linked.ines, route(), { words: ['sh', '-c', 'exec sleep 600'] });
  await expect.poll(async () => (await listed()).length, { timeout: 30_000 }).toBe(1);
  bodyOf(await linked.ines.call(`POST /api/operations/${id}/cancel`), 200);
  await expect.poll(async () => (await listed()).length, { timeout: 30_000 }).toBe(0);
  expect((await events())[0]?.subject).toMatch(/its end is not known$/);
}, 90_000);

test('a command that goes on elsewhere is not begun again by another try', async () => {
  const words = ['sh', '-c', 'exec sleep 601'];
  const { operation } = await runWords(['false']);
  // As a console that was killed leaves it.
  await linked.api.store.db
    .updateTable('operations')
    .set({ input: JSON.stringify({ appId: app.id, longname: app.longname, words, background: false }) })
    .where('id', '=', operation.id)
    .execute();
  succeeded(await runWords(words, true));
  bodyOf(await linked.ines.call(`POST /api/operations/${operation.id}/retry`), 202);
  const again = await followToEnd(linked.ines, operation.id);
  expect(again.operation).toMatchObject({ state: 'failed', problem: { code: 'busy' } });
  await linked.host.dokku('run:stop', app.longname);
}, 90_000);

test('a lost connection repeats no command, and says that the command may go on', async () => {
  const { id } = await begin(linked.ines, route(), { words: ['sh', '-c', 'echo begun; exec sleep 602'] });
  await expect.poll(async () => (await listed()).length, { timeout: 30_000 }).toBe(1);
  await linked.ines.call(`DELETE /api/servers/${linked.server.id}/connection`);
  const { operation, lines } = await followToEnd(linked.ines, id);
  expect(operation).toMatchObject({
    state: 'failed',
    problem: {
      code: 'connection_lost',
      message: expect.stringContaining('It is not repeated, and it may go on'),
    },
  });
  await linked.connect();
  expect(lines.filter(({ text }) => text === 'begun').length).toBeLessThanOrEqual(1);
  expect((await listed()).length).toBeLessThanOrEqual(1);
  expect((await events())[0]?.subject).toMatch(/its end is not known$/);
  await linked.host.dokku('run:stop', app.longname);
}, 90_000);

test('commands in the background have a bound', async () => {
  for (let begun = 0; begun < commandsInBackground; begun += 1)
    await linked.host.dokku('run:detached', app.longname, 'sleep', '600');
  const { operation } = await runWords(['sleep', '600'], true);
  expect(operation).toMatchObject({ state: 'failed', problem: { code: 'limit_reached' } });
  await linked.host.dokku('run:stop', app.longname);
}, 120_000);

test('events of commands push out older ones of their kind alone', async () => {
  const owner = ownerFromSession(linked.ines.userId);
  const { id: operationId } = (await runWords(['true'])).operation;
  const all = async () => bodyOf<SecurityEvent[]>(await linked.ines.call('GET /api/security-events'), 200);
  const others = (list: SecurityEvent[]) => list.filter(({ kind }) => kind !== 'command_run').length;
  const before = others(await all());
  for (let at = 0; at < securityEventsKept + 3; at += 1)
    await beginRunEvent(linked.api.store.db, {
      owner,
      operationId,
      kind: 'command_run',
      where: `command ${at}`,
    });
  const after = await all();
  expect(after.filter(({ kind }) => kind === 'command_run')).toHaveLength(securityEventsKept);
  expect(others(after)).toBe(before);
  expect(after[0]?.subject).toBe(`command ${securityEventsKept + 2}`);
}, 60_000);

test('a right that is taken back holds for what waits already', async () => {
  const first = await begin(linked.ines, route(), { words: ['sh', '-c', 'exec sleep 600'] });
  await expect.poll(async () => (await listed()).length, { timeout: 30_000 }).toBe(1);
  const queued = await begin(linked.ines, route(), { words: ['ls'] });
  expect(bodyOf<Server>(await allow('forbid'), 200).commandsAllowed).toBe(false);
  const { operation } = await followToEnd(linked.ines, queued.id);
  expect(operation).toMatchObject({ state: 'cancelled', startedAt: null });
  // What runs goes on.
  expect(await listed()).toHaveLength(1);
  await linked.host.dokku('run:stop', app.longname);
  await followToEnd(linked.ines, first.id);
  bodyOf(await linked.ines.call(`POST /api/operations/${queued.id}/retry`), 202);
  const again = await followToEnd(linked.ines, queued.id);
  expect(again.operation).toMatchObject({ state: 'failed', problem: { code: 'not_allowed' } });
  expect((await linked.ines.call(route(), { words: ['ls'] })).status).toBe(403);
  expect((await events())[0]?.kind).not.toBe('commands_allowed');
  // What runs can still be seen.
  expect(await listed()).toEqual([]);
}, 90_000);

test('a command that waits for a connection is cancelled when the right is taken back', async () => {
  bodyOf(await allow('allow'), 200);
  await linked.ines.call(`DELETE /api/servers/${linked.server.id}/connection`);
  const waiting = await begin(linked.ines, route(), { words: ['ls'] });
  const stateOf = async (id: string) =>
    bodyOf<Operation>(await linked.ines.call(`GET /api/operations/${id}`), 200).state;
  await expect.poll(() => stateOf(waiting.id), { timeout: 30_000 }).toBe('waiting');
  const queued = await begin(linked.ines, route(), { words: ['ls'] });
  bodyOf(await allow('forbid'), 200);
  expect(await stateOf(waiting.id)).toBe('cancelled');
  expect(await stateOf(queued.id)).toBe('cancelled');
  await linked.connect();
}, 90_000);
