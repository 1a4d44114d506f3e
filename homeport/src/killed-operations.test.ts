import { randomInt } from 'node:crypto';
import {
  begin,
  bodyOf,
  gitProject,
  runToEnd,
  succeeded,
  type TestVisitor,
  visitApp,
} from '@homeport/api/testing';
import type { App } from '@homeport/contract/apps/schema';
import type { deployHistorySchema } from '@homeport/contract/apps/settings-schema';
import type { OperationKind } from '@homeport/contract/operations/facts';
import type { Operation } from '@homeport/contract/operations/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { buildServer, temporaryFolder } from '../testing/console-process.ts';
import { askHost, type HostWithDokku } from '../testing/host-with-dokku.ts';
import { killAt, lengthOf } from '../testing/killed-work.ts';
import { type LinkedProcess, startLinkedProcess } from '../testing/linked-process.ts';
import { drawnMoments, seededRandom, spreadMoments } from '../testing/seeded-moments.ts';

/** Thirty-two moments in all by `npm run test:deep`. A creation has the most steps, so it gets the most moments. */
const moments = {
  creation: drawnMoments(8),
  rebuild: drawnMoments(6),
  goingBack: drawnMoments(6),
  keptGoingBack: drawnMoments(6),
  destruction: drawnMoments(6),
};
/** The host's waiting times, as a part of a real host's: long enough for a kill in the middle. */
const pace = 0.05;
/** A console starts up to eight times in a test, which takes long on a machine that is busy with other tests. */
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

const killed = (moment: number, lengthMs: number, kind: OperationKind, work: () => Promise<Operation>) =>
  killAt({ linked, host, seed, expectTruth }, { moment, lengthMs, kind }, work);

/** Checks that the list of apps and the server agree, except for the apps of interrupted operations. */
async function expectTruth(operations: readonly Operation[]): Promise<void> {
  const unfinished = (kind: OperationKind) =>
    operations
      .filter((each) => each.kind === kind && each.state === 'interrupted')
      .map(({ longname }) => longname);
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
    const length = await lengthOf(linked, () => createNamed('undisturbed'));
    await expectWhole('undisturbed');
    for (const [round, moment] of spreadMoments(moments.creation, length, random).entries()) {
      const name = `made ${round}`;
      const ended = await killed(moment, length, 'app.create', () => createNamed(name));
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
    const length = await lengthOf(linked, () => act(app, 'rebuild'));
    for (const moment of spreadMoments(moments.rebuild, length, random)) {
      await killed(moment, length, 'app.rebuild', () => act(app, 'rebuild'));
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
  'a going-back goes on after a kill -9 at any moment, and the app serves the chosen commit as a whole',
  async () => {
    const app = await appNamed('undisturbed');
    // It tells which commits were deployed, and which one runs.
    succeeded(await runToEnd(ines, `POST /api/servers/${linked.server.id}/plugin`));
    await using project = await gitProject({ 'index.html': 'one' }, linked.pushKey.privateKeyPem);
    const { remoteUrl } = await read<{ remoteUrl: string }>(`/api/apps/${app.id}/deploy-instructions`);
    const remote = remoteUrl.replace('//dokku@', `//${linked.host.sshd.user}@`);
    const head = async () => (await project.git('rev-parse', 'HEAD')).stdout.trim();
    // The rebuild of the test before has pushed another project.
    await project.git('push', '--force', remote, 'HEAD:main');
    const one = { sha: await head(), text: 'one' };
    await project.commit({ 'index.html': 'two' }, 'two');
    await project.push(remote);
    const two = { sha: await head(), text: 'two' };
    const goBack = ({ sha }: { sha: string }) => act(app, 'go-back', { sha });
    const length = await lengthOf(linked, () => goBack(one));
    for (const [round, moment] of spreadMoments(moments.goingBack, length, random).entries()) {
      const to = round % 2 === 0 ? two : one;
      const ended = await killed(moment, length, 'app.go-back', () => goBack(to));
      expect(ended.title).toBe(`Go back to ${to.sha.slice(0, 7)}`);
      const branch = (await project.git('ls-remote', remote, 'refs/heads/main')).stdout.slice(0, 40);
      const { body } = await visitApp(linked.host, `${app.longname}.lantern.localhost`);
      expect([body, branch]).toEqual([to.text, to.sha]);
    }
  },
  withinMs,
);

test(
  'a going-back to a kept version goes on after a kill -9 at any moment, and the app serves it as a whole',
  async () => {
    const app = await appNamed('undisturbed');
    const { releases } = await read<z.output<typeof deployHistorySchema>>(`/api/apps/${app.id}/deploys`);
    const kept = new Map(releases?.kept.map((release) => [release.commit?.title, release]));
    const [one, two] = ['first', 'two'].map((title) => kept.get(title));
    if (!one || !two) throw new Error('The server keeps both versions of the test before.');
    const texts = new Map([
      [one, 'one'],
      [two, 'two'],
    ]);
    const goBack = ({ id }: { id: string }) => act(app, 'releases/go-back', { release: id });
    // Twice, so that the second of them is one that has something to do.
    await lengthOf(linked, () => goBack(two));
    const length = await lengthOf(linked, () => goBack(one));
    for (const [round, moment] of spreadMoments(moments.keptGoingBack, length, random).entries()) {
      const to = round % 2 === 0 ? two : one;
      await killed(moment, length, 'app.release-serve', () => goBack(to));
      const after = await read<z.output<typeof deployHistorySchema>>(`/api/apps/${app.id}/deploys`);
      expect(after.releases?.cutOff).toBe(null);
      expect(after.releases?.kept.find(({ serving }) => serving)?.id).toBe(to.id);
      const { body } = await visitApp(linked.host, `${app.longname}.lantern.localhost`);
      const variables = await host.dokku('config:export', app.longname);
      expect([body, /GIT_REV='([0-9a-f]{40})'/.exec(variables)?.[1]]).toEqual([
        texts.get(to),
        to.commit?.sha,
      ]);
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
    const length = await lengthOf(linked, () => destroy(first));
    const rounds = spreadMoments(moments.destruction, length, random);
    for (const [round, moment] of rounds.entries()) {
      const app = others[round] as App;
      await killed(moment, length, 'app.destroy', () => destroy(app));
      expect((await ines.call(`GET /api/apps/${app.id}`)).status).toBe(404);
      expect(await host.appNames()).not.toContain(app.longname);
    }
    expect((await read<App[]>('/api/apps')).map(({ id }) => id).sort()).toEqual(
      [kept, ...others.slice(rounds.length)].map(({ id }) => id).sort(),
    );
  },
  withinMs,
);
