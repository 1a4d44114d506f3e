import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App, AppLogEvent } from '@homeport/contract/apps/schema';
import type {
  ConnectionStrings,
  Database,
  DatabasePlugins,
  ExposureOffer,
  FoundDatabase,
} from '@homeport/contract/databases/schema';
import type { Operation } from '@homeport/contract/operations/schema';
import { databaseSeries, namedContainers, shortContainerId } from '@homeport/store';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bodyOf, type TestVisitor } from '../http/testing.ts';
import { type LinkedConsole, startLinkedConsole } from '../testing/linked-console.ts';
import { eventsOf, runToEnd, succeeded } from '../testing/page.ts';
import { wholeStore } from '../testing/whole-store.ts';

/** Gives the container of a database that does not run another end. */
function endContainer(root: string, id: string, exitCode: number): void {
  const file = join(root, 'containers', id, 'state.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), exitCode }));
}

/** With Homeport’s own plugin a database is read in one start of Dokku, without it by the service’s report. */
describe.each([
  { plugin: true, title: 'with Homeport’s plugin' },
  { plugin: false, title: 'without Homeport’s plugin' },
])('a database on a server $title', ({ plugin }) => {
  let linked: LinkedConsole;
  let ines: TestVisitor;
  /** What the api answered, to search for secrets. */
  const told: string[] = [];
  beforeAll(async () => {
    linked = await startLinkedConsole({ plugins: ['acl', 'letsencrypt'] });
    ({ ines } = linked);
    if (plugin) succeeded(await runToEnd(ines, `POST /api/servers/${linked.server.id}/install`));
    for (const app of ['ledger', 'ledger-two', 'theirs']) await linked.host.dokku('apps:create', app);
    await runToEnd(ines, `POST /api/servers/${linked.server.id}/import`, { longnames: ['ledger'] });
  }, 180_000);
  afterAll(() => linked?.[Symbol.asyncDispose]());

  const list = async () => bodyOf<Database[]>(await ines.call('GET /api/databases'), 200);
  const named = async (name: string) => {
    const found = (await list()).find((each) => each.name === name);
    if (!found) throw new Error(`There is no record of ${name}.`);
    return found;
  };
  const ask = async (key: string, body?: unknown) => {
    const ended = await runToEnd(ines, key, body);
    const commands = await ines.call(`GET /api/operations/${ended.operation.id}/commands`);
    told.push(JSON.stringify([ended, commands.body]));
    return ended;
  };
  const creation = (name: string, more: object = {}) => ({
    name,
    type: 'postgres',
    serverId: linked.server.id,
    ...more,
  });
  const act = async (name: string, verb: string, body?: unknown) =>
    succeeded(await ask(`POST /api/databases/${(await named(name)).id}/${verb}`, body));
  const fails = async (name: string, verb: string, body?: unknown) => {
    const { operation } = await ask(`POST /api/databases/${(await named(name)).id}/${verb}`, body);
    expect(operation.state).toBe('failed');
    return operation;
  };
  const strings = async (name: string) =>
    bodyOf<ConnectionStrings>(
      await ines.call(`GET /api/databases/${(await named(name)).id}/connection-strings`),
      200,
    );
  const stepOf = ({ steps }: Operation, key: string) => steps.find((step) => step.key === key);
  const texts = ({ toasts }: Operation) => toasts.map(({ text }) => text);

  test('is not created without the plugin of its type, unless the person agrees to its installation', async () => {
    const asked = await ines.call(`GET /api/servers/${linked.server.id}/database-plugins`);
    const { plugins, installer } = bodyOf<DatabasePlugins>(asked, 200);
    expect(plugins.map(({ version }) => version)).toEqual(plugins.map(() => null));
    expect(installer).toBe(linked.host.sshd.user);
    const { operation } = await ask('POST /api/databases', creation('orders'));
    expect(operation).toMatchObject({
      state: 'failed',
      problem: { code: 'invalid_input', fields: { installPlugin: expect.stringContaining('PostgreSQL') } },
    });
    expect(await list()).toEqual([]);
  });

  test('is created, with its plugin, under a name of its own', async () => {
    const ended = await ask('POST /api/databases', creation('My Orders!', { installPlugin: true }));
    const operation = succeeded(ended);
    expect(texts(operation)).toEqual(['Database Created']);
    expect(ended.lines.map(({ text }) => text)).toContainEqual(
      expect.stringContaining('Fetches https://github.com/dokku/dokku-postgres.git'),
    );
    const asked = await ines.call(`GET /api/servers/${linked.server.id}/database-plugins`);
    expect(bodyOf<DatabasePlugins>(asked, 200).plugins).toContainEqual({
      type: 'postgres',
      version: '1.48.0',
      imageVersion: '18.4',
    });
    const database = await named('My Orders!');
    expect(operation).toMatchObject({ databaseId: database.id, longname: database.longname });
    expect(database).toMatchObject({
      longname: expect.stringMatching(/^my-orders-[a-z0-9]{6}$/),
      type: 'postgres',
      state: 'running',
      stopped: false,
      imageVersion: expect.stringMatching(/^\d/),
      ports: [],
      links: [],
      imported: false,
      readAt: expect.any(Number),
    });
    expect(await linked.host.dokku('postgres:list')).toContain(database.longname);
    const series = databaseSeries('postgres', database.longname);
    const container = await linked.host.dokku('postgres:info', database.longname, '--id');
    expect(
      await namedContainers(linked.api.store.pool, linked.server.id, series),
      'what the monitor measures',
    ).toEqual([shortContainerId(container)]);
  }, 60_000);

  test('is made anew by the same creation after a failure, which left its name blocked', async () => {
    const { sandbox } = linked.host;
    sandbox.setFault('service', true);
    const failed = (await ask('POST /api/databases', creation('second'))).operation;
    expect(failed).toMatchObject({ state: 'failed', databaseId: null });
    expect(await linked.host.dokku('postgres:list')).toContain(failed.longname);
    sandbox.setFault('service', false);
    const again = await ask(`POST /api/operations/${failed.id}/retry`);
    expect(texts(succeeded(again))).toEqual(['Database Created']);
    expect(again.lines.map(({ text }) => text)).toContain(
      'Removes what an earlier try of this creation left on the server.',
    );
    expect(await named('second')).toMatchObject({ longname: failed.longname, state: 'running' });
  }, 60_000);

  test('whose image cannot be fetched is not recorded, and the version is named beside its field', async () => {
    const { operation } = await ask('POST /api/databases', creation('broken', { imageVersion: '0.0.1' }));
    expect(operation).toMatchObject({
      state: 'failed',
      problem: { fields: { imageVersion: expect.stringContaining('postgres:0.0.1') } },
    });
    expect((await list()).map(({ name }) => name)).toEqual(['My Orders!', 'second']);
  }, 60_000);

  test('has its connection string read when it is asked for', async () => {
    const { longname } = await named('My Orders!');
    const { internal, external } = await strings('My Orders!');
    expect(internal).toMatch(
      new RegExp(
        `^postgres://postgres:[0-9a-f]+@dokku-postgres-${longname}:5432/${longname.replaceAll('-', '_')}$`,
      ),
    );
    expect(external).toEqual([]);
  });

  test('is linked to an app, and the variable is read back', async () => {
    const operation = await act('My Orders!', 'link', { appLongname: 'ledger' });
    expect(texts(operation)).toEqual(['Database linked']);
    expect(stepOf(operation, 'restart')).toMatchObject({ state: 'skipped' });
    const [app] = bodyOf<App[]>(await ines.call('GET /api/apps'), 200);
    expect(operation.appId).toBe(app?.id);
    const { id } = await named('My Orders!');
    const ofDatabase = bodyOf<Operation[]>(await ines.call(`GET /api/operations?databaseId=${id}`), 200);
    expect(ofDatabase.map(({ kind }) => kind)).toEqual(['database.link', 'database.create']);
    expect((await named('My Orders!')).links).toEqual([
      { appLongname: 'ledger', appId: app?.id, appName: 'ledger', variable: 'DATABASE_URL' },
    ]);
    const again = await act('My Orders!', 'link', { appLongname: 'ledger', restart: false });
    expect(stepOf(again, 'act')?.note).toContain('already linked');
    expect(again.steps.map(({ key }) => key)).toEqual(['act', 'read']);
  }, 60_000);

  test('gets another variable where the app has a database of this type, until it is promoted', async () => {
    await act('second', 'link', { appLongname: 'ledger', restart: false });
    expect((await named('second')).links).toMatchObject([{ variable: 'DOKKU_POSTGRES_AQUA_URL' }]);
    await act('second', 'promote', { appLongname: 'ledger' });
    expect((await named('second')).links).toMatchObject([{ variable: 'DATABASE_URL' }]);
    const exported = JSON.parse(await linked.host.dokku('config:export', '--format', 'json', 'ledger'));
    expect(exported.DATABASE_URL).toBe((await strings('second')).internal);
    await act('My Orders!', 'restart');
    expect((await named('My Orders!')).links).toMatchObject([
      { variable: expect.stringMatching(/^DOKKU_POSTGRES_[A-Z]+_URL$/) },
    ]);
  }, 90_000);

  test('is not linked to an app that the server does not have', async () => {
    const operation = await fails('second', 'link', { appLongname: 'nobody' });
    expect(operation.problem).toMatchObject({ fields: { appLongname: 'The server has no app nobody.' } });
  });

  test('is unlinked, and a link that is gone counts as taken away', async () => {
    await act('second', 'unlink', { appLongname: 'ledger', restart: false });
    expect((await named('second')).links).toEqual([]);
    const again = await act('second', 'unlink', { appLongname: 'ledger', restart: false });
    expect(stepOf(again, 'act')?.note).toContain('not linked');
  }, 60_000);

  test('is stopped with its container kept, and started', async () => {
    await act('second', 'stop');
    expect(await named('second')).toMatchObject({ state: 'paused', stopped: true });
    await act('second', 'start');
    expect(await named('second')).toMatchObject({ state: 'running', stopped: false });
    const { longname } = await named('second');
    await linked.host.dokku('postgres:stop', longname);
    const read = await ines.call(`POST /api/databases/${(await named('second')).id}/refresh`);
    expect(bodyOf<Database>(read, 200)).toMatchObject({ state: 'missing', stopped: false });
    // A start makes the container anew, and prints the password meanwhile.
    await act('second', 'start');
    expect(await named('second')).toMatchObject({ state: 'running' });
  }, 60_000);

  test('that crashed is told apart from one that somebody stopped on the server', async () => {
    const { id, longname } = await named('second');
    const refresh = async () => bodyOf<Database>(await ines.call(`POST /api/databases/${id}/refresh`), 200);
    await linked.host.dokku('postgres:pause', longname);
    const container = (await linked.host.dokku('postgres:info', longname, '--id')).trim();
    const endWith = (exitCode: number) => endContainer(linked.host.sandbox.root, container, exitCode);
    endWith(139);
    expect(await refresh()).toMatchObject({
      state: 'exited',
      stopped: false,
      ending: { exitCode: 139, outOfMemory: false },
    });
    endWith(143);
    expect(await refresh()).toMatchObject({ state: 'paused', stopped: true, ending: { exitCode: 143 } });
    await act('second', 'start');
    expect(await named('second')).toMatchObject({ state: 'running', stopped: false, ending: null });
    // What somebody stopped through Homeport stays paused, whatever code its server ends with.
    await act('second', 'stop');
    endWith(1);
    expect(await refresh()).toMatchObject({ stopped: true });
    await act('second', 'start');
  }, 60_000);

  test('is exposed on offered ports, and answers there', async () => {
    const id = (await named('My Orders!')).id;
    const { addresses, ports } = bodyOf<ExposureOffer>(
      await ines.call(`GET /api/databases/${id}/exposure`),
      200,
    );
    expect(addresses[0]).toEqual({ address: '127.0.0.1', kind: 'loopback' });
    expect(addresses.at(-1)).toEqual({ address: null, kind: 'everywhere' });
    expect(ports).toEqual([{ containerPort: 5432, hostPort: expect.any(Number) }]);
    const hostPort = ports[0]?.hostPort ?? 0;
    expect(hostPort).toBeGreaterThanOrEqual(20_000);
    expect(hostPort).toBeLessThanOrEqual(32_000);
    const operation = await act('My Orders!', 'expose', { address: '127.0.0.1', hostPorts: [hostPort] });
    expect(stepOf(operation, 'verify')).toMatchObject({ state: 'done' });
    expect(texts(operation)).toEqual(['Database exposed']);
    expect(await named('My Orders!')).toMatchObject({
      ports: [{ containerPort: 5432, address: '127.0.0.1', hostPort }],
      exposureFails: false,
    });
    const { internal, external } = await strings('My Orders!');
    expect(external).toEqual([
      {
        address: '127.0.0.1',
        url: internal.replace(/@[^/]*\//, `@127.0.0.1:${hostPort}/`),
      },
    ]);
    const other = await fails('second', 'expose', { address: '127.0.0.1', hostPorts: [hostPort] });
    expect(other.problem).toMatchObject({
      code: 'invalid_input',
      fields: { hostPorts: expect.stringContaining(String(hostPort)) },
    });
    expect((await named('second')).ports).toEqual([]);
    const twice = await fails('My Orders!', 'expose', { address: null, hostPorts: [hostPort + 1] });
    expect(twice.problem).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('already exposed'),
    });
  }, 90_000);

  test('is not exposed on an address that the server does not have', async () => {
    const operation = await fails('second', 'expose', { address: '203.0.113.9', hostPorts: [20_009] });
    expect(operation.problem).toMatchObject({ fields: { address: expect.stringContaining('203.0.113.9') } });
  });

  test('that nothing leads to is not called exposed, and the person learns what to do', async () => {
    const { sandbox } = linked.host;
    sandbox.setFault('ambassador', true);
    const id = (await named('second')).id;
    const { ports } = bodyOf<ExposureOffer>(await ines.call(`GET /api/databases/${id}/exposure`), 200);
    const hostPorts = ports.map(({ hostPort }) => hostPort);
    const operation = await act('second', 'expose', { address: '127.0.0.1', hostPorts });
    expect(stepOf(operation, 'verify')).toMatchObject({
      state: 'warned',
      note: expect.stringContaining('DOCKER_KEEP_DEPRECATED_LEGACY_LINKS_ENV_VARS'),
    });
    expect(texts(operation)).toEqual([]);
    expect(await named('second')).toMatchObject({ exposureFails: true, ports: [{ containerPort: 5432 }] });
    sandbox.setFault('ambassador', false);
    await act('second', 'unexpose');
    expect(await named('second')).toMatchObject({ exposureFails: false, ports: [] });
  }, 90_000);

  test('is unexposed', async () => {
    await act('My Orders!', 'unexpose');
    expect((await named('My Orders!')).ports).toEqual([]);
    await act('My Orders!', 'unexpose');
    expect((await strings('My Orders!')).external).toEqual([]);
  }, 60_000);

  test('shows the lines of its log', async () => {
    const { id } = await named('My Orders!');
    const seen: AppLogEvent[] = [];
    for await (const event of eventsOf<AppLogEvent>(ines, `GET /api/databases/${id}/logs?lines=20`)) {
      seen.push(event);
      if (event.type === 'lines') break;
    }
    const [lines] = seen.flatMap((event) => (event.type === 'lines' ? [event.lines] : []));
    expect(lines?.[0]).toMatchObject({ at: null, process: '', text: expect.stringMatching(/./) });
  });

  test('is renamed here, and a stale edit is refused', async () => {
    const { id, version } = await named('second');
    const edit = (name: string) => ines.call(`PATCH /api/databases/${id}`, { version, name });
    expect(bodyOf<Database>(await edit('invoices'), 200)).toMatchObject({ name: 'invoices' });
    expect(await edit('other')).toMatchObject({ status: 409, body: { code: 'stale_edit' } });
  });

  test('loses its link when the app is destroyed', async () => {
    const app = bodyOf<App[]>(await ines.call('GET /api/apps'), 200)[0];
    await linked.host.dokku(
      'postgres:unlink',
      (await named('My Orders!')).longname,
      'ledger',
      '--no-restart',
    );
    await act('invoices', 'link', { appLongname: 'ledger', restart: false });
    succeeded(await ask(`POST /api/apps/${app?.id}/destroy`, { confirmation: 'destroy' }));
    expect((await named('invoices')).links).toEqual([]);
  }, 60_000);

  test('is not deleted while an app is linked to it, unless all links are to go', async () => {
    await act('invoices', 'link', { appLongname: 'theirs', restart: false });
    const { id, longname } = await named('invoices');
    const refused = await ines.call(`POST /api/databases/${id}/delete`, { confirmation: 'delete' });
    expect(refused).toMatchObject({
      status: 409,
      body: {
        message: expect.stringContaining('linked to theirs'),
        recovery: expect.stringContaining('Unlink'),
      },
    });
    // A link that Homeport does not know of: the person did not agree to take it away.
    await linked.host.dokku('postgres:link', longname, 'ledger-two', '--no-restart');
    const beyond = await fails('invoices', 'delete', { confirmation: 'delete', unlinkAll: true });
    expect(beyond.problem).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('ledger-two'),
    });
    expect((await named('invoices')).links.map(({ appLongname }) => appLongname)).toEqual([
      'ledger-two',
      'theirs',
    ]);
    const operation = await act('invoices', 'delete', { confirmation: 'delete', unlinkAll: true });
    expect(texts(operation)).toEqual(['Database Deleted']);
    expect((await list()).map(({ name }) => name)).toEqual(['My Orders!']);
    expect(await linked.host.dokku('postgres:list')).not.toContain(longname);
    expect(await linked.host.dokku('config:export', '--format', 'json', 'theirs')).not.toContain(
      'postgres://',
    );
  }, 90_000);

  test('takes its variable along when an earlier deletion was cut off between list and variable', async () => {
    succeeded(await ask('POST /api/databases', creation('cut off')));
    await act('cut off', 'link', { appLongname: 'theirs', restart: false });
    const { internal } = await strings('cut off');
    const { longname } = await named('cut off');
    await linked.host.dokku('postgres:unlink', longname, 'theirs', '--no-restart');
    await linked.host.dokku('config:set', '--no-restart', 'theirs', `DATABASE_URL=${internal}`);
    await act('cut off', 'delete', { confirmation: 'delete', unlinkAll: true });
    expect(await linked.host.dokku('config:export', '--format', 'json', 'theirs')).not.toContain(internal);
  }, 60_000);

  test('that the server lost is still deleted here', async () => {
    const { id, longname } = await named('My Orders!');
    await linked.host.dokku('postgres:unlink', longname, 'ledger', '--no-restart').catch(() => {});
    await linked.host.dokku('postgres:destroy', longname, '--force');
    expect(await ines.call(`POST /api/databases/${id}/refresh`)).toMatchObject({ status: 404 });
    const operation = await act('My Orders!', 'delete', { confirmation: 'delete' });
    expect(stepOf(operation, 'destroy')).toMatchObject({ note: 'The server no longer had this database.' });
    expect(await list()).toEqual([]);
  }, 60_000);

  test('that was made elsewhere is found and imported, once', async () => {
    await linked.host.dokku('postgres:create', 'Old_One');
    await linked.host.dokku('postgres:link', 'Old_One', 'theirs', '--no-restart');
    const found = async () =>
      bodyOf<FoundDatabase[]>(await ines.call(`GET /api/servers/${linked.server.id}/found-databases`), 200);
    expect(await found()).toEqual([
      { type: 'postgres', longname: 'Old_One', state: 'running', apps: ['theirs'] },
    ]);
    const wanted = [
      { type: 'postgres', longname: 'Old_One' },
      { type: 'postgres', longname: 'Old_One' },
      { type: 'postgres', longname: 'gone' },
    ];
    const importing = () =>
      ask(`POST /api/servers/${linked.server.id}/import-databases`, { databases: wanted });
    const operation = succeeded(await importing());
    expect(stepOf(operation, 'record')).toMatchObject({
      state: 'warned',
      note: 'The server no longer has gone.',
    });
    succeeded(await importing());
    expect(await list()).toMatchObject([
      {
        name: 'Old_One',
        imported: true,
        state: 'running',
        links: [{ appLongname: 'theirs', appId: null, variable: 'DATABASE_URL' }],
      },
    ]);
    expect(await found()).toEqual([]);
    await linked.host.dokku('postgres:link', 'Old_One', 'ledger-two', '--no-restart');
    succeeded(await ask(`POST /api/servers/${linked.server.id}/import`, { longnames: ['ledger-two'] }));
    expect((await named('Old_One')).links).toMatchObject([
      { appLongname: 'ledger-two', appId: expect.any(String), variable: 'DATABASE_URL' },
      { appLongname: 'theirs' },
    ]);
  }, 90_000);

  test('has its password nowhere in the store, a log, a command or an answer but the one that was asked for', async () => {
    await act('Old_One', 'restart');
    const { internal } = await strings('Old_One');
    const password = /:([^:@]+)@/.exec(internal)?.[1] ?? '';
    expect(password).toMatch(/^[0-9a-f]{16,}$/);
    const { api } = linked;
    const everything = [await wholeStore(api.store.db), ...api.logged, ...api.announced, ...told].join('\n');
    expect(everything).not.toContain(password);
    // Nor any other password of a connection string.
    expect(everything).not.toMatch(/postgres:\/\/[^:\s]*:[0-9a-f]{8,}@/);
    expect(everything).toContain('Old_One');
    // The log did show the connection string, with its password concealed.
    expect(everything).toContain('postgres://postgres:••••••@');
  });
});
