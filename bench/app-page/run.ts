import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  deployApp,
  linkServer,
  openLivePage,
  type SandboxServer,
  signUp,
  startSandboxServer,
  type TestVisitor,
} from '@homeport/api/testing';
import { startConsole, url } from '../console.ts';
import { figure, figureAtMost } from '../figure.ts';

const viewMs = 12_000;
/** Counted on a real server before there was a plugin, in the same time. */
const startsBefore = 31;
const startsAtMost = 2;
const cpuSecondsAtMost = 0.6;

type Cost = { starts: number; cpuSeconds: number };

/**
 * Measures the cost of a view of an app's page for its server: the starts of Dokku in the sandbox, each charged with the processor
 * time that it takes a real server. The requests are those of the page.
 */
async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'homeport-app-page-'));
  await chmod(folder, 0o755);
  const console = await startConsole(join(folder, 'data'));
  await using host = await startSandboxServer({ counted: true });
  try {
    const person = await signUp(url, 'bench');
    const link = await linkServer(url, person, host);
    await link.connect();
    await measure(
      person,
      host,
      await deployApp(person, link, { 'index.html': 'ahoy', 'README.md': '# Ledger\n' }),
    );
  } finally {
    await console.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(person: TestVisitor, host: SandboxServer, app: { id: string }): Promise<void> {
  const cost = async (act: () => Promise<unknown>): Promise<Cost> => {
    const from = host.sandbox.starts().length;
    await act();
    const starts = host.sandbox.starts().slice(from);
    return { starts: starts.length, cpuSeconds: starts.reduce((sum, start) => sum + start.cpuSeconds, 0) };
  };
  const view = await cost(() => watch(person, app.id));
  figure({
    what: 'Starts of Dokku by one view in 12 s before there was a plugin, on a real server',
    value: String(startsBefore),
  });
  figureAtMost('Starts of Dokku by one view in 12 s, with the plugin', view.starts, startsAtMost, '');
  figureAtMost('Processor time of these starts', view.cpuSeconds, cpuSecondsAtMost, 's');

  const parts = ['system', 'resources', 'deploys', 'storage', 'readme', 'environment'];
  const readParts = async () => {
    for (const part of parts) await person.call(`GET /api/apps/${app.id}/${part}`);
  };
  await host.dokku('plugin:disable', 'homeport');
  await person.call(`POST /api/apps/${app.id}/refresh`);
  show('One view in 12 s without the plugin, by cheap commands', await cost(() => watch(person, app.id)));
  show('All panels of a page without the plugin, each looked at once', await cost(readParts));
}

const show = (what: string, { starts, cpuSeconds }: Cost) =>
  figure({ what, value: `${starts} starts, ${cpuSeconds.toFixed(2)} s of CPU` });

/** Opens the page as far as its server is concerned, and closes it after 12 s. */
async function watch(person: TestVisitor, id: string): Promise<void> {
  const page = await openLivePage(url, person);
  page.subscribe('GET /api/apps/:id/deploy-log', { params: { id }, query: { past: 'false' } });
  await person.call(`GET /api/apps/${id}/known`);
  await pause(viewMs);
  page.close();
}

await main();
