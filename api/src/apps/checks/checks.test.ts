import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AppChecks } from '@homeport/contract/apps/checks/schema';
import type { App } from '@homeport/contract/apps/schema';
import type { Operation, RanCommand } from '@homeport/contract/operations/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodyOf } from '../../http/testing.ts';
import { deployApp } from '../../testing/deploy-app.ts';
import { type LinkedConsole, startLinkedConsole } from '../../testing/linked-console.ts';
import { runToEnd, succeeded } from '../../testing/page.ts';

const secret = 'canary-51c0';
const files = {
  'server.js':
    'require("http").createServer((_, answer) => answer.end("ahoy")).listen(process.env.PORT); console.log("up")',
  Procfile: 'web: node server.js\nweb-mail: sleep 3600\nworker: sleep 3600\nrelease: true\n',
  'app.json': JSON.stringify({
    healthchecks: {
      web: [
        {
          type: 'startup',
          name: 'answers',
          path: '/up',
          attempts: 5,
          onFailure: { command: ['echo', secret] },
          httpHeaders: [{ name: 'X-Key', value: secret }],
        },
        { type: 'liveness', path: '/' },
      ],
      clock: [{ type: 'startup', command: ['date'] }],
    },
    env: { TOKEN: { value: secret } },
  }),
};

let linked: LinkedConsole;
let app: App;
beforeAll(async () => {
  linked = await startLinkedConsole({ counted: true });
  app = await deployApp(linked.ines, linked, files);
}, 180_000);
afterAll(() => linked?.[Symbol.asyncDispose]());

const checks = async () => bodyOf<AppChecks>(await linked.ines.call(`GET /api/apps/${app.id}/checks`), 200);
const modes = async () => Object.fromEntries((await checks()).types.map(({ type, mode }) => [type, mode]));
const change = (body: unknown) => runToEnd(linked.ines, `POST /api/apps/${app.id}/checks`, body);
const mode = (type: string, from: string, to: string) => ({ modes: [{ type, from, to }] });
async function commandsOf({ id }: Operation): Promise<string> {
  const ran = bodyOf<RanCommand[]>(await linked.ines.call(`GET /api/operations/${id}/commands`), 200);
  return ran.map(({ command }) => command).join('\n');
}

const none = { mode: 'checked', own: [], more: 0 };

test('each type but the task of a release is told with its checks, in three starts of Dokku', async () => {
  const before = linked.host.sandbox.starts().length;
  const told = await checks();
  const numbers = { delaySeconds: 0, waitSeconds: 5, timeoutSeconds: 5, uptimeSeconds: null };
  const path = { kind: 'path', content: null, port: null, https: false, warns: false, ...numbers };
  expect(told).toEqual({
    types: [
      {
        ...{ type: 'web', mode: 'checked', more: 0 },
        own: [
          {
            ...{ ...path, name: 'answers', use: 'runs', asks: '/up', attempts: 5 },
            ...{ headers: true, onFailure: 'command' },
          },
          {
            ...{ ...path, name: null, use: 'otherType', asks: '/', attempts: 3 },
            ...{ headers: false, onFailure: 'none' },
          },
        ],
      },
      { type: 'web-mail', ...none },
      { type: 'worker', ...none },
    ],
    ...{ manifest: 'read', checksFile: false, retireSeconds: 60 },
  });
  expect(JSON.stringify(told)).not.toContain(secret);
  const starts = linked.host.sandbox.starts().slice(before);
  const commands = ['checks:report', 'homeport:checks', 'ps:scale'];
  expect(starts.map(({ command }) => command).toSorted()).toEqual(commands);
});

const modesAlone = {
  types: [{ type: 'web', ...none }, { type: 'web-mail' }, { type: 'worker' }],
  ...{ manifest: 'unknown', checksFile: false },
};

test('without the plugin, the modes are told', async () => {
  await linked.host.dokku('plugin:disable', 'homeport');
  expect(await checks()).toMatchObject(modesAlone);
  await linked.host.dokku('plugin:enable', 'homeport');
  expect(await checks()).toMatchObject({ manifest: 'read' });
});

test.each([
  ['that does not know the command', 'exit 1'],
  ['that answers in another format', `echo '{"v":2}'`],
  ['whose answer has too many lines', 'yes {} | head -n 5000'],
])('with a plugin %s, the modes are told', async (_, answer) => {
  const file = join(
    linked.host.sandbox.root,
    'machine/var/lib/dokku/plugins/available/homeport/subcommands/checks',
  );
  const before = readFileSync(file);
  writeFileSync(file, `#!/bin/sh\n${answer}\n`);
  try {
    expect(await checks()).toMatchObject(modesAlone);
  } finally {
    writeFileSync(file, before);
  }
  expect(await checks()).toMatchObject({ manifest: 'read' });
});

test('a type is skipped and checked again, and the commands are told', async () => {
  const skip = await change(mode('web', 'checked', 'skipped'));
  succeeded(skip);
  expect(skip.operation.steps.at(-1)?.note).toBe('They hold from the next deploy on.');
  const ran = await commandsOf(skip.operation);
  expect(ran).toContain(`checks:skip ${app.longname} web`);
  expect(ran).not.toContain('ps:restart');
  expect(await modes()).toEqual({ web: 'skipped', 'web-mail': 'checked', worker: 'checked' });
  succeeded(await change(mode('web', 'skipped', 'checked')));
  expect(await modes()).toEqual({ web: 'checked', 'web-mail': 'checked', worker: 'checked' });
}, 60_000);

test('of a list of all types the others keep their mode', async () => {
  await linked.host.dokku('checks:disable', app.longname);
  expect(await modes()).toEqual({ web: 'disabled', 'web-mail': 'disabled', worker: 'disabled' });
  succeeded(await change(mode('web', 'disabled', 'checked')));
  expect(await modes()).toEqual({ web: 'checked', 'web-mail': 'disabled', worker: 'disabled' });
  await linked.host.dokku('checks:enable', app.longname);
}, 60_000);

test('a type whose name holds that of another keeps its mode', async () => {
  await linked.host.dokku('checks:disable', app.longname, 'web,web-mail');
  await linked.host.dokku('checks:skip', app.longname, 'worker');
  succeeded(await change(mode('web', 'disabled', 'checked')));
  expect(await modes()).toEqual({ web: 'checked', 'web-mail': 'disabled', worker: 'skipped' });
  await linked.host.dokku('checks:enable', app.longname);
}, 60_000);

test('work that is run again compares again', async () => {
  await linked.host.dokku('checks:disable', app.longname, 'web');
  const refused = await change(mode('web', 'checked', 'skipped'));
  await linked.host.dokku('checks:disable', app.longname, 'worker');
  const again = await runToEnd(linked.ines, `POST /api/operations/${refused.operation.id}/retry`, {});
  expect(again.operation.state).toBe('failed');
  expect(await modes()).toEqual({ web: 'disabled', 'web-mail': 'checked', worker: 'disabled' });
  await linked.host.dokku('checks:enable', app.longname);
}, 60_000);

test('work that was cut off with empty lists fills them again, and stops where somebody set others since', async () => {
  /** Work that emptied the lists and ended. */
  const cutOff = async (modesBefore: Record<string, string>) => {
    await linked.host.dokku('checks:disable', app.longname, 'web');
    const { operation } = await change(mode('web', 'checked', 'skipped'));
    await linked.host.dokku('checks:enable', app.longname);
    const facts = JSON.stringify({ emptied: true, modes: modesBefore });
    await linked.api.store.db
      .updateTable('operations')
      .set({ facts })
      .where('id', '=', operation.id)
      .execute();
    return () => runToEnd(linked.ines, `POST /api/operations/${operation.id}/retry`, {});
  };
  const before = { web: 'skipped', 'web-mail': 'disabled', worker: 'checked' };
  const again = await cutOff(before);
  succeeded(await again());
  expect(await modes()).toEqual(before);
  await linked.host.dokku('checks:enable', app.longname);
  const later = await cutOff(before);
  await linked.host.dokku('checks:skip', app.longname, 'web-mail');
  expect((await later()).operation).toMatchObject({
    state: 'failed',
    problem: {
      message: 'The checks of web-mail were made skipped since this work was cut off. They stay as they are.',
    },
  });
  expect(await modes()).toEqual({ web: 'checked', 'web-mail': 'skipped', worker: 'checked' });
  await linked.host.dokku('checks:enable', app.longname);
}, 60_000);

test('a change of the time leaves a list of all types as it is', async () => {
  await linked.host.dokku('checks:disable', app.longname);
  const changed = await change({ modes: [], retireSeconds: { from: 60, to: 30 } });
  succeeded(changed);
  expect(await commandsOf(changed.operation)).not.toContain('checks:enable');
  expect(await modes()).toEqual({ web: 'disabled', 'web-mail': 'disabled', worker: 'disabled' });
  succeeded(await change({ modes: [], retireSeconds: { from: 30, to: 60 } }));
  await linked.host.dokku('checks:enable', app.longname);
}, 60_000);

test('the time of old containers is set alone, and a second time skipped', async () => {
  const retire = { modes: [], retireSeconds: { from: 60, to: 0 } };
  succeeded(await change(retire));
  expect((await checks()).retireSeconds).toBe(0);
  const again = await change(retire);
  expect(again.operation.steps.find(({ key }) => key === 'set')).toMatchObject({ state: 'skipped' });
  await linked.host.dokku('checks:set', app.longname, 'wait-to-retire', 'abc');
  expect((await checks()).retireSeconds).toBeNull();
  succeeded(await change({ modes: [], retireSeconds: { from: null, to: 60 } }));
}, 60_000);

test('what another change replaced, and a type that is none, change nothing', async () => {
  await linked.host.dokku('checks:disable', app.longname, 'web');
  const failed = async (body: unknown) => (await change(body)).operation;
  expect(await failed(mode('web', 'checked', 'skipped'))).toMatchObject({
    state: 'failed',
    problem: { message: 'The checks of web are disabled by now, and not checked. Nothing was changed.' },
  });
  expect(await failed({ modes: [], retireSeconds: { from: 30, to: 10 } })).toMatchObject({
    state: 'failed',
    problem: { message: expect.stringContaining('has another time') },
  });
  expect(await failed(mode('clock', 'checked', 'skipped'))).toMatchObject({
    state: 'failed',
    problem: { message: expect.stringContaining('no process clock') },
  });
  expect(await modes()).toEqual({ web: 'disabled', 'web-mail': 'checked', worker: 'checked' });
  expect((await checks()).retireSeconds).toBe(60);
  await linked.host.dokku('checks:enable', app.longname);
}, 60_000);

test('hostile values are refused before anything runs', async () => {
  const refused = [
    {},
    { modes: [] },
    mode('--force', 'checked', 'skipped'),
    mode('web,worker', 'checked', 'skipped'),
    mode('_all_', 'checked', 'skipped'),
    mode('release', 'checked', 'skipped'),
    mode('web', 'checked', 'off'),
    { modes: [...mode('web', 'checked', 'skipped').modes, ...mode('web', 'checked', 'disabled').modes] },
    ...[-1, 3_601, 1.5, '5', '5; id', null].map((to) => ({ modes: [], retireSeconds: { from: 60, to } })),
  ];
  for (const body of refused) {
    const answer = await linked.ines.call(`POST /api/apps/${app.id}/checks`, body);
    expect(answer.status, JSON.stringify(body)).toBe(400);
  }
});
