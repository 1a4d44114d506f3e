import type { App, AppLogEvent, DeployInstructions } from '@homeport/contract/apps/schema';
import type { Operation, RanCommand } from '@homeport/contract/operations/schema';
import type { Server } from '@homeport/contract/servers/schema';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { bodyOf, type TestVisitor } from '../../http/testing.ts';
import { gitProject } from '../../testing/git-project.ts';
import { type LinkedConsole, startLinkedConsole } from '../../testing/linked-console.ts';
import { begin, eventsOf, followToEnd, runToEnd } from '../../testing/page.ts';
import type { SandboxServer } from '../../testing/sandbox-host.ts';
import { visitApp } from '../../testing/visit-app.ts';

let linked: LinkedConsole;
let host: SandboxServer;
let ines: TestVisitor;
let server: Server;
let app: App;

beforeAll(async () => {
  linked = await startLinkedConsole(undefined, undefined, {
    // Beneath the name of a server only `ship-…` leads to it; its `stray-…` leads to another machine, and the rest nowhere.
    resolveServer: (name, _options, done) => {
      const [first = ''] = name.split('.', 1);
      if (first.startsWith('silent')) return done(Object.assign(new Error(name), { code: 'ETIMEOUT' }), []);
      const address = first === 'vps' || first.startsWith('ship') ? '127.0.0.1' : '127.0.0.9';
      const isThere = name.endsWith('vps.example.net') && !first.startsWith('lost');
      done(null, isThere ? [{ address, family: 4 }] : []);
    },
  });
  ({ host, ines, server } = linked);
  const installed = await runToEnd(ines, `POST /api/servers/${server.id}/install`);
  expect(installed.operation.state, JSON.stringify(installed)).toBe('succeeded');
}, 180_000);
afterAll(() => linked?.[Symbol.asyncDispose]());

const visit = () => visitApp(host, app.domains[0] ?? '');
const creation = (name: string) => ({ name, serverId: server.id, keyIds: [linked.pushKey.id] });
const act = (verb: string, body?: unknown) => runToEnd(ines, `POST /api/apps/${app.id}/${verb}`, body);

test('a creation sets users, limits and domain, and returns the deploy instructions', async () => {
  const { operation, lines } = await runToEnd(ines, 'POST /api/apps', creation('Ledger API'));
  expect(operation.state, JSON.stringify({ operation, lines }, null, 1)).toBe('succeeded');
  expect(operation.steps.map((step) => step.title)).toEqual([
    'Create the app',
    'Save the record',
    'Set users',
    'Set limits',
    'Set up monitoring',
    'Add the domain',
    'Finished with deployment instructions',
  ]);
  expect(operation.toasts.map((toast) => toast.text)).toEqual([
    'App Created',
    'App Plan Selected',
    'Success setting up monitor',
    'Domain added',
  ]);
  app = ((await ines.call('GET /api/apps')).body as App[])[0] as App;
  expect(app).toMatchObject({ name: 'Ledger API', plan: 3, stopped: false, deployment: { status: 'never' } });
  expect(app.keys).toEqual([linked.pushKey.id]);
  expect(app.longname).toMatch(/^ledger-api-[a-z0-9]{6}$/);
  expect(app.domains).toEqual([`${app.longname}.lantern.localhost`]);
  const { instructions } = operation.result as { instructions: DeployInstructions };
  expect(instructions.remoteUrl).toBe(`ssh://${host.sshd.user}@127.0.0.1:${host.sshd.port}/${app.longname}`);
  expect(instructions.keyNames).toEqual(['git']);
  // Dokku made the app with its domain, and adding the domain again would rebuild nginx’s files.
  expect(operation.steps.find(({ key }) => key === 'domain')).toMatchObject({
    state: 'skipped',
    note: `Dokku made the app with ${app.domains[0]}.`,
  });
  const ran = bodyOf<RanCommand[]>(await ines.call(`GET /api/operations/${operation.id}/commands`), 200);
  expect(ran.filter(({ command }) => command.includes('domains:add'))).toEqual([]);
}, 60_000);

test('a creation sets up no checks where none are wanted', async () => {
  const { operation } = await runToEnd(ines, 'POST /api/apps', { ...creation('quiet'), watched: false });
  expect(operation.state).toBe('succeeded');
  expect(operation.steps.find(({ key }) => key === 'monitoring')).toMatchObject({ state: 'skipped' });
  expect(operation.toasts.map(({ text }) => text)).not.toContain('Success setting up monitor');
  const { appId } = operation.result as { appId: string };
  const checked = await linked.api.store.db.selectFrom('checks').select('app_id').execute();
  expect(checked.map(({ app_id }) => app_id)).toEqual([app.id]);
  await runToEnd(ines, `POST /api/apps/${appId}/destroy`, { confirmation: 'destroy' });
}, 60_000);

describe('on a server that is known by a name', () => {
  const setAddress = (ip: string) =>
    linked.api.store.db.updateTable('servers').set({ ip }).where('id', '=', server.id).execute();
  beforeAll(() => setAddress('vps.example.net'));
  afterAll(async () => {
    await host.dokku('domains:set-global', 'lantern.localhost');
    await setAddress(server.ip);
  });

  /** The notes of the steps, and what became of the app, which goes again. */
  async function createUnder(globalDomain: string, name: string) {
    await host.dokku('domains:set-global', globalDomain);
    const asked = { ...creation(name), httpsEmail: 'ines@example.com' };
    const { operation } = await runToEnd(ines, 'POST /api/apps', asked);
    expect(operation.state, JSON.stringify(operation)).toBe('succeeded');
    const { appId, longname } = operation.result as { appId: string; longname: string };
    const { domains } = bodyOf<App>(await ines.call(`GET /api/apps/${appId}`), 200);
    const ran = bodyOf<RanCommand[]>(await ines.call(`GET /api/operations/${operation.id}/commands`), 200);
    const { db } = linked.api.store;
    const checked = await db.selectFrom('checks').select('domain').where('app_id', '=', appId).execute();
    await runToEnd(ines, `POST /api/apps/${appId}/destroy`, { confirmation: 'destroy' });
    return {
      wanted: `${longname}.vps.example.net`,
      elsewhere: `${longname}.elsewhere.test`,
      step: (key: string) => operation.steps.find((each) => each.key === key),
      domains,
      checked: checked.map(({ domain }) => domain),
      asksAuthority: ran.some(({ command }) => command.includes('letsencrypt:enable')),
    };
  }

  test('an app has the domain beneath the name where the name leads to the server', async () => {
    const { wanted, ...made } = await createUnder('vps.example.net', 'ship');
    expect(made).toMatchObject({ domains: [wanted], checked: [wanted], asksAuthority: true });
    expect(made.step('domain')).toMatchObject({ state: 'skipped' });
  }, 60_000);

  test.each(['stray', 'lost'])(
    'no certificate is asked for and nothing is checked where the domain does not lead there (%s)',
    async (name) => {
      const { wanted, ...made } = await createUnder('vps.example.net', name);
      expect(made).toMatchObject({ domains: [wanted], checked: [], asksAuthority: false });
      const noteOf = (key: string) => made.step(key)?.note;
      expect(noteOf('domain')).toContain('no DNS record *.vps.example.net leads to it');
      expect(noteOf('domain')).toContain(`Dokku gave it ${wanted}.`);
      expect(noteOf('monitoring')).toContain('the app has no default domain');
      expect(noteOf('https')).toContain(`${wanted} cannot be seen to lead to this server`);
    },
    60_000,
  );

  test('no certificate is asked for while another domain that Dokku gave leads elsewhere', async () => {
    const { wanted, elsewhere, ...made } = await createUnder('elsewhere.test', 'ship');
    expect(made).toMatchObject({ domains: [elsewhere, wanted], checked: [wanted], asksAuthority: false });
    expect(made.step('https')?.note).toContain(`${elsewhere} cannot be seen to lead to this server`);
  }, 60_000);

  test('a name server that does not answer is no missing record', async () => {
    const { elsewhere, ...made } = await createUnder('elsewhere.test', 'silent');
    expect(made).toMatchObject({ domains: [elsewhere], checked: [], asksAuthority: false });
    expect(made.step('domain')?.note).toContain(
      'DNS does not say now whether a record *.vps.example.net leads',
    );
  }, 60_000);

  test('a domain that leads elsewhere is not added', async () => {
    const { elsewhere, ...made } = await createUnder('elsewhere.test', 'lost');
    expect(made).toMatchObject({ domains: [elsewhere], checked: [], asksAuthority: false });
  }, 60_000);
});

test('a creation adds the domain where Dokku gave the app another one', async () => {
  await host.dokku('domains:set-global', 'elsewhere.test');
  try {
    const { operation } = await runToEnd(ines, 'POST /api/apps', creation('wanderer'));
    expect(operation.steps.find(({ key }) => key === 'domain')).toMatchObject({ state: 'done' });
    const { appId, longname } = operation.result as { appId: string; longname: string };
    expect((await ines.call(`GET /api/apps/${appId}`)).body).toMatchObject({
      domains: [`${longname}.elsewhere.test`, `${longname}.lantern.localhost`],
    });
    await runToEnd(ines, `POST /api/apps/${appId}/destroy`, { confirmation: 'destroy' });
  } finally {
    await host.dokku('domains:set-global', 'lantern.localhost');
  }
}, 60_000);

test('a creation skips a key that the server has already, and goes on', async () => {
  const { operation } = await runToEnd(ines, 'POST /api/apps', creation('second'));
  expect(operation.state).toBe('succeeded');
  expect(operation.toasts).toContainEqual({ tone: 'warning', text: 'Key already added to server, Skipping' });
}, 60_000);

test('a key that the server does not take is told of with the reason, and the creation goes on', async () => {
  const bad = await linked.api.store.db
    .insertInto('keys')
    .values({
      owner_id: linked.ines.userId,
      id: 'b'.repeat(32),
      name: 'crooked',
      public_key: 'ssh-ed25519 AAAA',
      fingerprint: `SHA256:${'B'.repeat(43)}`,
      algorithm: 'ssh-ed25519',
      added_at: Date.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { operation } = await runToEnd(ines, 'POST /api/apps', {
    ...creation('third'),
    keyIds: [bad.id, linked.pushKey.id],
  });
  const text = 'The key crooked was not added: The server does not take this public key.';
  expect(operation.state).toBe('succeeded');
  expect(operation.toasts).toContainEqual({ tone: 'warning', text });
  expect(operation.steps.find(({ key }) => key === 'users')).toMatchObject({ state: 'warned', note: text });
  const { appId } = operation.result as { appId: string };
  // Only the key that the server took may push.
  expect((await ines.call(`GET /api/apps/${appId}`)).body).toMatchObject({ keys: [linked.pushKey.id] });
  await runToEnd(ines, `POST /api/apps/${appId}/destroy`, { confirmation: 'destroy' });
  await linked.api.store.db.deleteFrom('keys').where('id', '=', bad.id).execute();
}, 60_000);

test.each([
  ['static', 'This page is served from your own server.'],
  ['node', 'Ahoy from Node.js.'],
  ['python', 'Ahoy from Python.'],
  ['dockerfile', 'Ahoy from a container of your own.'],
] as const)(
  'a creation deploys the starter %s, which answers',
  async (starter, answer) => {
    const body = { ...creation(`begun ${starter}`), begin: { from: 'starter', starter } };
    const { operation, lines } = await runToEnd(ines, 'POST /api/apps', body);
    expect(
      operation.steps.find(({ key }) => key === 'deploy'),
      JSON.stringify(lines, null, 1),
    ).toMatchObject({
      state: 'done',
    });
    const { appId, begun, instructions } = operation.result as {
      appId: string;
      begun: string;
      instructions: DeployInstructions;
    };
    expect(begun).toBe('starter');
    const made = bodyOf<App>(await ines.call(`GET /api/apps/${appId}`), 200);
    expect(made).toMatchObject({ deployment: { status: 'succeeded' }, repository: null });
    const visited = await visitApp(host, made.domains[0] ?? '');
    expect(visited.body).toContain(answer);
    // The starter's files lie on the server alone, so the person gets them from there, and pushes without --force.
    await using copy = await gitProject({ 'README.md': 'mine' }, linked.pushKey.privateKeyPem);
    await copy.git('fetch', '--quiet', instructions.remoteUrl, instructions.branch);
    await copy.git('reset', '--quiet', '--hard', 'FETCH_HEAD');
    await copy.commit({ 'NEW.md': 'mine' }, 'Mine');
    await copy.git('push', '--quiet', instructions.remoteUrl, `HEAD:${instructions.branch}`);
    expect(instructions.commands[0]?.command).toBe(`git clone ${instructions.remoteUrl}`);
    await runToEnd(ines, `POST /api/apps/${appId}/destroy`, { confirmation: 'destroy' });
  },
  90_000,
);

test('git push deploys the app, the page’s stream shows the deploy, and the app answers', async () => {
  const { remoteUrl } = (await ines.call(`GET /api/apps/${app.id}/deploy-instructions`))
    .body as DeployInstructions;
  await using project = await gitProject({ 'index.html': '<h1>ahoy</h1>' }, linked.pushKey.privateKeyPem);
  const watched: string[] = [];
  const types: AppLogEvent['type'][] = [];
  const watching = (async () => {
    for await (const event of eventsOf<AppLogEvent>(ines, `GET /api/apps/${app.id}/deploy-log`)) {
      types.push(event.type);
      if (event.type === 'lines') watched.push(...event.lines.map((line) => line.text));
      if (watched.some((line) => line.includes('Application deployed'))) return;
    }
  })();
  // The record shares the watch's first reading, so that the watch has seen the app without a deploy.
  await vi.waitFor(() => expect(types).toContain('changed'), { timeout: 15_000 });
  await ines.call(`POST /api/apps/${app.id}/refresh`, {});
  const output = await project.push(remoteUrl);
  expect(output).toContain('Application deployed');
  await watching;
  // No log is missing where there was no deploy: the page would say so of the first one, too.
  expect(types).not.toContain('empty');
  await expect
    .poll(async () => (await ines.call(`POST /api/apps/${app.id}/refresh`, {})).body, { timeout: 15_000 })
    .toMatchObject({
      deployment: { status: 'succeeded', at: expect.any(Number) },
      stopped: false,
      url: expect.stringContaining(app.longname),
    });
  expect(await visit()).toMatchObject({
    status: 200,
    body: expect.stringContaining('ahoy'),
  });
}, 90_000);

test('stop, start, restart and rebuild act and say so', async () => {
  expect((await act('stop')).operation).toMatchObject({
    state: 'succeeded',
    toasts: [{ tone: 'ok', text: 'App Stopped Successfully' }],
  });
  expect((await ines.call(`GET /api/apps/${app.id}`)).body).toMatchObject({ stopped: true });
  expect((await visit()).status).toBe(502);
  expect((await act('start')).operation.toasts).toEqual([{ tone: 'ok', text: 'App Started Successfully' }]);
  expect((await act('restart')).operation.toasts).toEqual([
    { tone: 'ok', text: 'App Restarted Successfully' },
  ]);
  expect((await act('rebuild')).operation.toasts).toEqual([{ tone: 'ok', text: 'App Rebuilt Successfully' }]);
  expect((await ines.call(`GET /api/apps/${app.id}`)).body).toMatchObject({ stopped: false });
  expect((await visit()).status).toBe(200);
}, 120_000);

test('restarting an app that was never deployed fails with the reason, although Dokku ends with 0', async () => {
  const second = ((await ines.call('GET /api/apps')).body as App[]).find(
    (each) => each.name === 'second',
  ) as App;
  const { operation } = await runToEnd(ines, `POST /api/apps/${second.id}/restart`);
  expect(operation).toMatchObject({
    state: 'failed',
    problem: { message: 'This app has never been deployed. Push to it first.' },
  });
}, 60_000);

test('the live log begins with the last lines and goes on', async () => {
  await visit();
  for await (const event of eventsOf<AppLogEvent>(ines, `GET /api/apps/${app.id}/logs?lines=50`)) {
    expect(event).toMatchObject({ type: 'lines', lines: [{ process: 'web.1', at: expect.any(Number) }] });
    break;
  }
});

test('a creation that lost its connection goes on when the browser comes back, and makes nothing twice', async () => {
  await ines.call(`DELETE /api/servers/${server.id}/connection`);
  const { id } = await begin(ines, 'POST /api/apps', creation('third'));
  await expect
    .poll(async () => (await ines.call(`GET /api/operations/${id}`)).body, { timeout: 10_000 })
    .toMatchObject({ state: 'waiting' });
  await linked.connect();
  await expect
    .poll(async () => (await ines.call(`GET /api/operations/${id}/commands`)).body, { timeout: 10_000 })
    .not.toEqual([]);
  await ines.call(`DELETE /api/servers/${server.id}/connection`);
  const following = followToEnd(ines, id);
  await expect
    .poll(async () => ((await ines.call(`GET /api/operations/${id}`)).body as Operation).state, {
      timeout: 10_000,
    })
    .toMatch(/waiting|succeeded/);
  await linked.connect();
  const { operation, lines } = await following;
  expect(operation.state, JSON.stringify(lines)).toBe('succeeded');
  const thirds = ((await ines.call('GET /api/apps')).body as App[]).filter((each) => each.name === 'third');
  expect(thirds).toHaveLength(1);
}, 90_000);

test('an app that is created with HTTPS says so, and its certificate is renewed', async () => {
  const wanted = { ...creation('fourth'), httpsEmail: 'ines@example.com' };
  const { operation, lines } = await runToEnd(ines, 'POST /api/apps', wanted);
  expect(operation.state, JSON.stringify(lines)).toBe('succeeded');
  expect(operation.steps.find(({ key }) => key === 'https')).toMatchObject({ state: 'done', note: null });
  const { body } = await ines.call(`GET /api/operations/${operation.id}/commands`);
  const commands = (body as RanCommand[]).map(({ command }) => command);
  expect(commands).toContainEqual(expect.stringContaining('letsencrypt:cron-job --add'));
  expect((await ines.call('GET /api/apps')).body).toContainEqual(
    expect.objectContaining({ name: 'fourth', https: true }),
  );
}, 60_000);

test('destroying needs the typed word, then the app is gone on both sides', async () => {
  const refused = await ines.call(`POST /api/apps/${app.id}/destroy`, { confirmation: 'yes' });
  expect(refused).toMatchObject({
    status: 400,
    body: { fields: { confirmation: expect.stringContaining('destroy') } },
  });
  expect((await act('destroy', { confirmation: 'destroy' })).operation).toMatchObject({
    state: 'succeeded',
    toasts: [{ tone: 'ok', text: 'App Destroyed' }],
  });
  expect((await ines.call(`GET /api/apps/${app.id}`)).status).toBe(404);
}, 60_000);

test('limits plan 0 to two apps, and refuses unknown keys and servers beside their fields', async () => {
  const create = (fields: object) => ines.call('POST /api/apps', { ...creation('x'), ...fields });
  expect((await create({ keyIds: [] })).body).toMatchObject({
    fields: { keyIds: 'Choose at least one key.' },
  });
  expect((await create({ keyIds: ['0'.repeat(32)] })).body).toMatchObject({
    fields: { keyIds: expect.any(String) },
  });
  expect((await create({ serverId: crypto.randomUUID() })).body).toMatchObject({
    fields: { serverId: expect.any(String) },
  });
  expect((await create({ plan: 11 })).body).toMatchObject({ fields: { plan: expect.any(String) } });
  expect((await create({ name: '' })).body).toMatchObject({ fields: { name: 'Enter a name.' } });
});
