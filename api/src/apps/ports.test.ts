import type { App } from '@homeport/contract/apps/schema';
import type { RanCommand } from '@homeport/contract/operations/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodyOf } from '../http/testing.ts';
import { deployApp } from '../testing/deploy-app.ts';
import { type LinkedConsole, startLinkedConsole } from '../testing/linked-console.ts';
import { runToEnd } from '../testing/page.ts';

let linked: LinkedConsole;
let app: App;

beforeAll(async () => {
  linked = await startLinkedConsole({ plugins: ['acl', 'letsencrypt'] });
  app = await deployApp(linked.ines, linked, {
    'index.html': 'ahoy',
    Dockerfile: 'FROM scratch\nEXPOSE 5000\n',
  });
}, 180_000);
afterAll(() => linked?.[Symbol.asyncDispose]());

const act = (path: string, body: unknown) => runToEnd(linked.ines, `POST /api/apps/${app.id}/${path}`, body);
const requestCertificate = async (refused: boolean) => {
  linked.host.sandbox.setFault('certificate', refused);
  try {
    return (await act('https', { email: 'ines@example.com' })).operation;
  } finally {
    linked.host.sandbox.setFault('certificate', false);
  }
};
const urls = async () => (await linked.host.dokku('urls', app.longname)).trim().split('\n');
const ports = () =>
  linked.host.dokku('ports:report', app.longname, '--ports-map').then((text) => text.trim());

test('an app that exposes 5000 is served there', async () => {
  expect(await urls()).toEqual([`http://${app.domains[0]}:5000`]);
});

test('a refused certificate leaves the app on its ports, and says that they were put back', async () => {
  const operation = await requestCertificate(true);
  expect(operation).toMatchObject({
    state: 'failed',
    problem: {
      message: expect.stringMatching(
        /certificate.*changed the app’s ports to http:80:5000\. They are http:5000:5000 again\.$/s,
      ),
      remote: { exitCode: 1 },
    },
  });
  expect(await ports()).toBe('');
  expect(await urls()).toEqual([`http://${app.domains[0]}:5000`]);
  const ran = bodyOf<RanCommand[]>(
    await linked.ines.call(`GET /api/operations/${operation.id}/commands`),
    200,
  );
  expect(ran.map(({ command }) => command).join('\n')).not.toMatch(/ports:report \S+ --format/);
}, 60_000);

test('a refused certificate puts back the ports that somebody had set', async () => {
  await linked.host.dokku('ports:set', app.longname, 'http:8081:5000');
  const { problem } = await requestCertificate(true);
  expect(problem?.message).toContain('They are http:8081:5000 again.');
  expect(await ports()).toBe('http:8081:5000');
  await linked.host.dokku('ports:clear', app.longname);
}, 60_000);

test('with its certificate the app says which ports it left', async () => {
  const operation = await requestCertificate(false);
  expect(operation.state).toBe('succeeded');
  expect(operation.steps.find(({ key }) => key === 'enable')).toMatchObject({
    state: 'done',
    note: 'The app now answers on http:80:5000 and https:443:5000. It no longer answers on http:5000:5000.',
  });
}, 60_000);

test('the app is offered port 80, with a warning about the app that its old address would show', async () => {
  const { host, ines } = linked;
  await host.dokku('ports:set', app.longname, 'http:5000:5000');
  expect(await ines.call(`GET /api/apps/${app.id}/ports`)).toMatchObject({
    body: {
      now: [{ scheme: 'http', hostPort: 5000, containerPort: 5000 }],
      web: [
        { scheme: 'http', hostPort: 80, containerPort: 5000 },
        { scheme: 'https', hostPort: 443, containerPort: 5000 },
      ],
      taken: [],
      complete: true,
    },
  });
  for (const name of ['aardvark', 'beaver', 'camel']) await host.dokku('apps:create', name);
  for (const name of ['beaver', 'camel']) await host.dokku('ports:set', name, 'http:5000:3000');
  expect(await ines.call(`GET /api/apps/${app.id}/ports`)).toMatchObject({
    body: { taken: [{ port: 5000, by: 'beaver' }], complete: true },
  });
}, 60_000);

test('a move to port 80 keeps the old port where the person wants it, and the record follows', async () => {
  expect((await linked.ines.call(`POST /api/apps/${app.id}/refresh`, {})).status).toBe(200);
  const kept = await act('ports', { keep: true });
  expect(kept.operation.state, JSON.stringify(kept.lines)).toBe('succeeded');
  expect(await ports()).toBe('http:80:5000 https:443:5000 http:5000:5000');
  const { operation } = await act('ports', { keep: false });
  expect(operation.steps[0]).toMatchObject({
    note: expect.stringMatching(/Now: http:80:5000 and https:443:5000\.$/),
  });
  expect(await ports()).toBe('http:80:5000 https:443:5000');
  expect(bodyOf<App>(await linked.ines.call(`GET /api/apps/${app.id}`), 200).url).toBe((await urls())[0]);
  expect((await act('ports', { keep: false })).operation.steps[0]).toMatchObject({
    note: 'The app is on http:80:5000 and https:443:5000 already.',
  });
}, 60_000);
