import { randomInt } from 'node:crypto';
import { setTimeout as passes } from 'node:timers/promises';
import { begin, bodyOf, followToEnd, gitProject, succeeded, type TestVisitor } from '@homeport/api/testing';
import type { App } from '@homeport/contract/apps/schema';
import type { OperationKind } from '@homeport/contract/operations/facts';
import type { Operation } from '@homeport/contract/operations/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildServer, temporaryFolder } from '../testing/console-process.ts';
import { askHost, type HostWithDokku } from '../testing/host-with-dokku.ts';
import { type LinkedProcess, startLinkedProcess } from '../testing/linked-process.ts';
import { seededRandom, spreadMoments } from '../testing/seeded-moments.ts';

/** Twenty moments in all. A creation has the most steps, so it gets the most moments. */
const moments = { creation: 8, rebuild: 6, destruction: 6 };
/** The host's waiting times, as a part of a real host's: long enough for a kill in the middle. */
const pace = 0.05;
/** A console starts twenty times, which takes long on a machine that is busy with other tests. */
const withinMs = 480_000;

const seed = Number(process.env.KILL_SEED ?? randomInt(2 ** 31));
const random = seededRandom(seed);

let data: Awaited<ReturnType<typeof temporaryFolder>>;
let linked: LinkedProcess;
let host: HostWithDokku;
let ines: TestVisitor;

beforeAll(async () => {
  buildServer();
  data = await temporaryFolder();
  linked = await startLinkedProcess(data.path, { only: 'api', pace });
  ({ ines } = linked);
  host = askHost(linked.host);
}, 120_000);

afterAll(async () => {
  await linked?.[Symbol.asyncDispose]();
  await data?.[Symbol.asyncDispose]();
});

const read = async <T>(path: string) => (await ines.call(`GET ${path}`)).body as T;
const createNamed = (name: string) =>
  begin(ines, 'POST /api/apps', { name, serverId: linked.server.id, keyIds: [linked.pushKey.id] });
const act = (app: App, verb: string, body = {}) => begin(ines, `POST /api/apps/${app.id}/${verb}`, body);

async function appNamed(name: string): Promise<App> {
  const found = (await read<App[]>('/api/apps')).filter((app) => app.name === name);
  expect(found).toHaveLength(1);
  return found[0] as App;
}

/** Follows an operation to its end, which has to be a success. */
async function endsWell({ id }: Operation): Promise<Operation> {
  return succeeded(await followToEnd(ines, id));
}

/** How long undisturbed work takes. */
async function lengthOf(work: () => Promise<Operation>): Promise<number> {
  const from = performance.now();
  await endsWell(await work());
  return performance.now() - from;
}

/** Begins the work, kills the console at the moment, starts it again, compares pages and server, and runs the work again to its end. */
async function killAt(
  moment: number,
  lengthMs: number,
  kind: OperationKind,
  work: () => Promise<Operation>,
): Promise<Operation> {
  let where = 'before it began';
  try {
    const before = new Set((await read<Operation[]>('/api/operations')).map(({ id }) => id));
    const answer = work().catch(() => null);
    await passes(moment);
    linked.console.child.kill('SIGKILL');
    await linked.console.ended;
    const answered = await answer;
    await linked.startAgain();

    const begun = (await read<Operation[]>('/api/operations')).filter(({ id }) => !before.has(id));
    await expectTruth();
    expect(begun.length, 'an operation that the console confirmed must not be lost').toBe(
      answered ? 1 : begun.length,
    );
    const [operation] = begun;
    if (!operation) {
      await linked.connect();
      return await endsWell(await work());
    }
    expect(operation.kind).toBe(kind);
    where = `${operation.state} in ${operation.steps.find(({ state }) => state !== 'done' && state !== 'warned')?.key}`;
    expect(['interrupted', 'succeeded']).toContain(operation.state);
    const retried =
      operation.state === 'succeeded'
        ? operation
        : await begin(ines, `POST /api/operations/${operation.id}/retry`);
    await linked.connect();
    const ended = await endsWell(retried);
    const texts = ended.toasts.map(({ text }) => text);
    expect(texts).toEqual([...new Set(texts)]);
    await expectTruth();
    const { longname } = ended;
    if (longname) await expect.poll(() => host.workingOn(longname), { timeout: 10_000 }).toEqual([]);
    return ended;
  } catch (error) {
    const at = `${kind}, killed after ${moment} of ${Math.round(lengthMs)} ms (${where})`;
    throw new Error(`With KILL_SEED=${seed}: ${at}`, { cause: error });
  }
}

/** Checks that the list of apps and the server agree, except for the apps of interrupted operations. */
async function expectTruth(): Promise<void> {
  const unfinished = (kind: OperationKind) =>
    operations
      .filter((each) => each.kind === kind && each.state === 'interrupted')
      .map(({ longname }) => longname);
  const operations = await read<Operation[]>('/api/operations?active=true');
  const recorded = (await read<App[]>('/api/apps')).map(({ longname }) => longname);
  const there = await host.appNames();
  const creating = unfinished('app.create');
  const destroying = unfinished('app.destroy');
  expect(there.filter((name) => !recorded.includes(name) && !creating.includes(name))).toEqual([]);
  expect(recorded.filter((name) => !there.includes(name) && !destroying.includes(name))).toEqual([]);
}

/** Checks on the record and on the server that a creation is complete. */
async function expectWhole(name: string): Promise<void> {
  const app = await appNamed(name);
  const domain = `${app.longname}.lantern.localhost`;
  expect(app).toMatchObject({ plan: 3, domains: [domain], serverId: linked.server.id });
  expect(await host.dokku('acl:list', app.longname)).toContain(`homeport-${linked.pushKey.id}`);
  const limits = JSON.parse(await host.dokku('resource:report', app.longname, '--format', 'json'));
  expect(limits).toMatchObject({ '_default_.limit.memory': expect.stringMatching(/^\d+$/) });
  const domains = JSON.parse(await host.dokku('domains:report', app.longname, '--format', 'json'));
  expect(JSON.stringify(domains)).toContain(domain);
}

test(
  'a creation goes on after a kill -9 at any moment, and makes one whole app',
  async () => {
    const length = await lengthOf(() => createNamed('undisturbed'));
    await expectWhole('undisturbed');
    for (const [round, moment] of spreadMoments(moments.creation, length, random).entries()) {
      const name = `made ${round}`;
      const ended = await killAt(moment, length, 'app.create', () => createNamed(name));
      await expectWhole(name);
      expect(ended.result).toMatchObject({ appId: (await appNamed(name)).id });
    }
  },
  withinMs,
);

test(
  'a rebuild goes on after a kill -9 at any moment, and the app serves',
  async () => {
    const app = await appNamed('undisturbed');
    await using project = await gitProject({ 'index.html': '<h1>ahoy</h1>' }, linked.pushKey.privateKeyPem);
    const { remoteUrl } = await read<{ remoteUrl: string }>(`/api/apps/${app.id}/deploy-instructions`);
    // The host’s one account takes pushes too. A real host has the account `dokku` for pushes.
    await project.push(remoteUrl.replace('//dokku@', `//${linked.host.sshd.user}@`));
    const length = await lengthOf(() => act(app, 'rebuild'));
    for (const moment of spreadMoments(moments.rebuild, length, random)) {
      await killAt(moment, length, 'app.rebuild', () => act(app, 'rebuild'));
      expect(bodyOf<App>(await ines.call(`POST /api/apps/${app.id}/refresh`, {}), 200)).toMatchObject({
        stopped: false,
        deployment: { status: 'succeeded' },
      });
      const processes = JSON.parse(await host.dokku('ps:report', app.longname, '--format', 'json'));
      expect(JSON.stringify(processes)).toMatch(/running \(CID: [0-9a-f]+\)/);
    }
  },
  withinMs,
);

test(
  'a destruction goes on after a kill -9 at any moment, and removes nothing else',
  async () => {
    const kept = await appNamed('undisturbed');
    const doomed = (await read<App[]>('/api/apps')).filter(({ id }) => id !== kept.id);
    const destroy = (app: App) => act(app, 'destroy', { confirmation: 'destroy' });
    const [first, ...others] = doomed as [App, ...App[]];
    const length = await lengthOf(() => destroy(first));
    const rounds = spreadMoments(moments.destruction, length, random);
    for (const [round, moment] of rounds.entries()) {
      const app = others[round] as App;
      await killAt(moment, length, 'app.destroy', () => destroy(app));
      expect((await ines.call(`GET /api/apps/${app.id}`)).status).toBe(404);
      expect(await host.appNames()).not.toContain(app.longname);
    }
    expect((await read<App[]>('/api/apps')).map(({ id }) => id).sort()).toEqual(
      [kept, ...others.slice(rounds.length)].map(({ id }) => id).sort(),
    );
  },
  withinMs,
);
