import type { App } from '@homeport/contract/apps/schema';
import type { Environment, Mount } from '@homeport/contract/apps/settings-schema';
import type { RanCommand } from '@homeport/contract/operations/schema';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bodyOf } from '../http/testing.ts';
import { type LinkedConsole, startLinkedConsole } from '../testing/linked-console.ts';
import { runToEnd } from '../testing/page.ts';

const folder = '/var/lib/dokku/data/storage/ledger';

describe.each(['0.38.27', '0.37.10', '0.35.0'])('on Dokku %s', (dokkuVersion) => {
  let linked: LinkedConsole;
  let app: App;

  beforeAll(async () => {
    linked = await startLinkedConsole({ dokkuVersion });
    const { host, ines, server } = linked;
    await host.dokku('apps:create', 'ledger');
    await ines.call(`POST /api/servers/${server.id}/import`, {});
    app = bodyOf<App[]>(await ines.call('GET /api/apps'), 200)[0] as App;
  }, 60_000);
  afterAll(() => linked?.[Symbol.asyncDispose]());

  test('linking says where this Dokku is older than the oldest that is worked with', async () => {
    const { operation, lines } = await runToEnd(linked.ines, `POST /api/servers/${linked.server.id}/install`);
    expect(operation.state, JSON.stringify(lines)).toBe('succeeded');
    const warnings = operation.toasts.filter(({ tone }) => tone === 'warning');
    const step = operation.steps.find(({ key }) => key === 'dokku');
    if (dokkuVersion !== '0.35.0') {
      expect(warnings).toEqual([]);
      return expect(step).toMatchObject({ state: 'done', note: `Dokku ${dokkuVersion}` });
    }
    const text = expect.stringContaining('Dokku 0.35.0 is older than 0.37.0, the oldest');
    expect(warnings).toEqual([{ tone: 'warning', text }]);
    expect(step).toMatchObject({ state: 'warned', note: text });
  });

  const add = (containerPath: string, sharedWith?: string) =>
    runToEnd(linked.ines, `POST /api/apps/${app.id}/storage`, { containerPath, sharedWith });
  const mounts = async () => bodyOf<Mount[]>(await linked.ines.call(`GET /api/apps/${app.id}/storage`), 200);

  const isNamed = dokkuVersion.startsWith('0.38');

  test('makes and mounts storage by the commands that this version knows', async () => {
    const { operation, lines } = await add('/app/storage');
    expect(operation.state, JSON.stringify(lines)).toBe('succeeded');
    expect(operation.toasts).toEqual([{ tone: 'ok', text: 'Storage added' }]);
    const commands = await linked.ines.call(`GET /api/operations/${operation.id}/commands`);
    const ran = bodyOf<RanCommand[]>(commands, 200).map(({ command, exitCode }) => [
      command.replace(/^.* dokku /, ''),
      exitCode,
    ]);
    expect(ran).toEqual([
      ['storage:list ledger --format json', 0],
      ['storage:create ledger --chown herokuish', isNamed ? 0 : 1],
      ...(isNamed
        ? [['storage:mount ledger ledger --container-dir /app/storage', 0]]
        : [
            ['storage:ensure-directory --chown herokuish ledger', 0],
            [`storage:mount ledger ${folder}:/app/storage`, 0],
          ]),
      ['ps:report ledger --format json', 0],
    ]);
    expect(await mounts()).toMatchObject([
      { hostPath: folder, containerPath: '/app/storage', usedBytes: expect.any(Number) },
    ]);
  });

  test('leaves an existing mount unchanged', async () => {
    const { operation } = await add('/app/storage');
    expect(operation).toMatchObject({
      state: 'succeeded',
      steps: [{ note: `${folder} is mounted at /app/storage already.` }, {}],
    });
    expect(await mounts()).toHaveLength(1);
  });

  test('a second place in the app gets a folder of its own, also when it is asked for twice', async () => {
    for (let i = 0; i < 2; i += 1) {
      const { operation, lines } = await add('/app/uploads');
      expect(operation.state, JSON.stringify(lines)).toBe('succeeded');
    }
    const second = (await mounts()).filter(({ containerPath }) => containerPath === '/app/uploads');
    expect(second).toMatchObject([{ hostPath: expect.stringMatching(/\/ledger-app-uploads-[0-9a-f]{10}$/) }]);
  });

  test('a folder is shared with another place only where that is chosen', async () => {
    const { operation, lines } = await add('/srv/shared', folder);
    expect(operation.state, JSON.stringify(lines)).toBe('succeeded');
    expect(await mounts()).toContainEqual(
      expect.objectContaining({ hostPath: folder, containerPath: '/srv/shared' }),
    );
    expect((await add('/srv/none', '/srv/nobodys')).operation).toMatchObject({
      state: 'failed',
      problem: { code: 'conflict', message: 'The app no longer has the folder /srv/nobodys.' },
    });
  });

  test('refuses a mount path that another folder has', async () => {
    await linked.host.dokku('storage:mount', 'ledger', '/srv/others:/app/others');
    const { operation } = await add('/app/others');
    expect(operation).toMatchObject({
      state: 'failed',
      problem: { code: 'conflict', message: '/srv/others is mounted at /app/others already.' },
    });
  });

  test('lists a Docker volume without its size', async () => {
    await linked.host.dokku('storage:mount', 'ledger', 'volume:/app/volume');
    expect(await mounts()).toContainEqual(
      expect.objectContaining({ hostPath: 'volume', containerPath: '/app/volume', usedBytes: null }),
    );
  });

  test('takes variables only where the process list does not show them, and otherwise refuses with the reason', async () => {
    const { status, body } = await linked.ines.call(`PATCH /api/apps/${app.id}/environment`, {
      values: { TIDE: 'high' },
      restart: false,
    });
    if (dokkuVersion !== '0.35.0')
      return expect(body).toMatchObject({ environment: { values: { TIDE: 'high' } } });
    expect({ status, body }).toMatchObject({
      status: 502,
      body: { message: expect.stringContaining('Dokku is older than 0.37') },
    });
    const { values } = bodyOf<Environment>(
      await linked.ines.call(`GET /api/apps/${app.id}/environment`),
      200,
    );
    expect(values).not.toHaveProperty('TIDE');
  });
});
