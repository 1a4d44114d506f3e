import type { App, AppLogEvent } from '@homeport/contract/apps/schema';
import type { Known } from '@homeport/contract/apps/settings-schema';
import { changeSchema } from '@homeport/contract/live/schema';
import type { Server } from '@homeport/contract/servers/schema';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { bodyOf } from '../../http/testing.ts';
import { deployApp } from '../../testing/deploy-app.ts';
import { type LinkedConsole, startLinkedConsole } from '../../testing/linked-console.ts';
import { type LivePage, openLivePage, runToEnd, succeeded } from '../../testing/page.ts';

// The machine may be busy, and each test waits for other programs.
vi.setConfig({ testTimeout: 60_000 });

/** Counts the starts of Dokku on the server. */

let linked: LinkedConsole;
let app: App;
beforeAll(async () => {
  linked = await startLinkedConsole({ counted: true });
  app = await deployApp(linked.ines, linked, { 'index.html': 'ahoy', 'README.md': '# Ledger\n' });
}, 180_000);
afterAll(() => linked?.[Symbol.asyncDispose]());

const pages: LivePage[] = [];
const closePages = () => {
  for (const page of pages.splice(0)) page.close();
};
afterEach(closePages);

const read = async <T>(path: string) =>
  bodyOf<T>(await linked.ines.call(`GET /api/apps/${app.id}/${path}`), 200);
const server = async () =>
  bodyOf<Server>(await linked.ines.call(`GET /api/servers/${linked.server.id}`), 200);
const begun = () => {
  const before = linked.host.sandbox.starts().length;
  return () =>
    linked.host.sandbox
      .starts()
      .slice(before)
      .map(({ command }) => command);
};
const patient = { timeout: 20_000 };

/** Opens the app's page as far as its server is concerned: the watch for deploys, without the log of the last one. */
async function view(past: boolean) {
  const page = await openLivePage(linked.api.url, linked.ines);
  pages.push(page);
  const id = page.subscribe('GET /api/apps/:id/deploy-log', {
    params: { id: app.id },
    query: { past: String(past) },
  });
  const events = () =>
    page.heard.flatMap((message) =>
      message.type === 'event' && message.id === id ? [message.data as AppLogEvent] : [],
    );
  let obeyed = 0;
  /** Has the state recorded where the watch says so, as the page does. */
  const obey = async () => {
    const changes = events().filter(({ type }) => type === 'changed').length;
    if (changes === obeyed) return;
    obeyed = changes;
    bodyOf<App>(await linked.ines.call(`POST /api/apps/${app.id}/refresh?noticed=true`), 200);
  };
  return { events, obey };
}

test('the installation brings the plugin, and says which version', async () => {
  const { dokkuPlugin } = await server();
  expect(dokkuPlugin.installed).toBe(dokkuPlugin.offered);
});

test('a view of an app starts Dokku twice at most, and tells all of it', async () => {
  const starts = begun();
  const openedAt = Date.now();
  const { obey } = await view(false);
  await vi.waitFor(async () => {
    await obey();
    expect((await read<Known>('known')).system?.readAt).toBeGreaterThanOrEqual(openedAt);
  }, patient);
  const known = await read<Known>('known');
  expect(known.system?.told).toMatchObject({
    processes: [{ name: 'web.1', state: 'running' }],
    proxy: 'nginx',
  });
  expect(known.deploys?.told).toMatchObject({
    deploys: [{ status: 'succeeded', commit: { sha: expect.stringMatching(/^[0-9a-f]{40}$/) } }],
  });
  expect(known.resources?.told).toMatchObject({ hostCpus: expect.any(Number) });
  expect(new Set(starts())).toEqual(new Set(['homeport:state']));
  expect(starts().length).toBeLessThanOrEqual(2);
});

test('a page that is slow to hear of a change has the reading recorded that found it', async () => {
  const starts = begun();
  const openedAt = Date.now();
  await read('deploys');
  expect(starts()).toEqual(['homeport:state']);
  const recorded = await linked.ines.call(`POST /api/apps/${app.id}/refresh?noticed=true`);
  expect(bodyOf<App>(recorded, 200).id).toBe(app.id);
  expect((await read<Known>('known')).system?.readAt).toBeGreaterThanOrEqual(openedAt);
  expect(starts()).toEqual(['homeport:state']);
  bodyOf<App>(await linked.ines.call(`POST /api/apps/${app.id}/refresh`), 200);
  expect(starts()).toEqual(['homeport:state', 'homeport:state']);
});

test('panels that ask at once share the start', async () => {
  const starts = begun();
  await Promise.all(['deploys', 'resources', 'system'].map((part) => read(part)));
  expect(starts()).toEqual(['homeport:state']);
});

test('the readme needs no root, and one start', async () => {
  const starts = begun();
  expect(await read('readme')).toEqual({ kind: 'text', text: '# Ledger\n', account: 'dokku' });
  expect((await read<Known>('known')).readme?.told).toMatchObject({ text: '# Ledger\n' });
  expect(starts()).toEqual(['homeport:readme']);
});

test('a stop by hand is noticed by the times of files', async () => {
  const { events, obey } = await view(false);
  await vi.waitFor(() => expect(events().map(({ type }) => type)).toContain('changed'), patient);
  await obey();
  const starts = begun();
  await linked.host.dokku('ps:stop', app.longname);
  await vi.waitFor(async () => {
    await obey();
    expect(bodyOf<App>(await linked.ines.call(`GET /api/apps/${app.id}`), 200).stopped).toBe(true);
  }, patient);
  // The stop writes its files at two moments; the watch and the record may each read the state after both.
  const asked = starts().filter((command) => command !== 'ps:stop');
  expect(new Set(asked)).toEqual(new Set(['homeport:state']));
  expect(asked.length).toBeLessThanOrEqual(4);
  await linked.host.dokku('ps:start', app.longname);
});

test('a page hears of what a server told before it hears of the deploy that came with it', async () => {
  const page = await openLivePage(linked.api.url, linked.ines);
  pages.push(page);
  const id = page.subscribe('GET /api/events');
  await vi.waitFor(() => expect(page.heard).toContainEqual({ type: 'opened', id }), patient);
  await linked.host.dokku('ps:rebuild', app.longname);
  bodyOf<App>(await linked.ines.call(`POST /api/apps/${app.id}/refresh`), 200);
  const topics = () =>
    page.heard.flatMap((message) =>
      message.type === 'event' && message.id === id ? [changeSchema.parse(message.data).topic] : [],
    );
  await vi.waitFor(() => expect(topics()).toEqual(expect.arrayContaining(['apps', 'readings'])), patient);
  expect(topics().indexOf('readings')).toBeLessThan(topics().indexOf('apps'));
});

test('the log of a deploy that is over is asked for once, however often somebody looks', async () => {
  const starts = begun();
  const linesOf = async () => {
    const { events } = await view(true);
    const texts = () =>
      events().flatMap((event) => (event.type === 'lines' ? event.lines.map(({ text }) => text) : []));
    await vi.waitFor(() => expect(texts()).not.toEqual([]), patient);
    return texts();
  };
  const lines = await linesOf();
  expect(lines).toContain('=====> Application deployed:');
  expect(starts()).toEqual(['homeport:state', 'builds:output']);
  expect(await linesOf()).toEqual(lines);
  expect(starts().filter((command) => command === 'builds:output')).toHaveLength(1);
  // A page that is open would follow this deploy.
  closePages();
  await linked.host.dokku('ps:rebuild', app.longname);
  expect(await linesOf()).not.toEqual(lines);
  expect(starts().filter((command) => command === 'builds:output')).toHaveLength(2);
});

test('a plugin that somebody disabled is noticed, and the server is read by cheap commands until it is back', async () => {
  await linked.host.dokku('plugin:disable', 'homeport');
  const refreshed = await linked.ines.call(`POST /api/apps/${app.id}/refresh`);
  expect(bodyOf<App>(refreshed, 200)).toMatchObject({ stopped: false });
  expect((await server()).dokkuPlugin.installed).toBeNull();
  const before = linked.host.sandbox.starts().length;
  bodyOf<App>(await linked.ines.call(`POST /api/apps/${app.id}/refresh`), 200);
  expect(await read('system')).toMatchObject({ processes: [{ name: 'web.1', state: 'running' }] });
  const cheap = linked.host.sandbox.starts().slice(before);
  expect(cheap.map(({ command }) => command)).not.toContain('homeport:state');
  expect(cheap.filter(({ cpuSeconds }) => cpuSeconds > 1)).toEqual([]);
  succeeded(await runToEnd(linked.ines, `POST /api/servers/${linked.server.id}/plugin`));
  expect((await server()).dokkuPlugin.installed).not.toBeNull();
  expect(await read('readme')).toMatchObject({ account: 'dokku' });
});

test('an app of somebody else tells nothing', async () => {
  const eve = await linked.api.signUp('eve');
  expect((await eve.call(`GET /api/apps/${app.id}/known`)).status).toBe(404);
});

test('removing the server with its plugin deletes the plugin', async () => {
  const { operation } = bodyOf<{ operation: { id: string } }>(
    await linked.ines.call(`POST /api/servers/${linked.server.id}/remove`, {
      uninstall: true,
      plugin: { confirmation: 'end backups' },
    }),
    202,
  );
  await vi.waitFor(async () => {
    const { state } = bodyOf<{ state: string }>(
      await linked.ines.call(`GET /api/operations/${operation.id}`),
      200,
    );
    expect(state).toBe('succeeded');
  }, patient);
  expect(await linked.host.dokku('plugin:list')).not.toContain('homeport');
});
