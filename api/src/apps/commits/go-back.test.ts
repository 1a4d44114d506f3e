import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App, DeployInstructions } from '@homeport/contract/apps/schema';
import type { deployHistorySchema } from '@homeport/contract/apps/settings-schema';
import type { Operation, OperationEvent } from '@homeport/contract/operations/schema';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { z } from 'zod';
import { bodyOf } from '../../http/testing.ts';
import { deployApp } from '../../testing/deploy-app.ts';
import { gitProject } from '../../testing/git-project.ts';
import { type LinkedConsole, startLinkedConsole } from '../../testing/linked-console.ts';
import { begin, eventsOf, followToEnd, runToEnd, succeeded } from '../../testing/page.ts';
import { visitApp } from '../../testing/visit-app.ts';

// The sandbox moves branches and pushes with git itself.

/** While its file exists, the app does not listen, so its deploy does not end. */
const gate = join(tmpdir(), `homeport-gate-${randomUUID()}`);
const server = (text: string) => `const { existsSync } = require("fs");
const look = setInterval(() => {
  if (existsSync(${JSON.stringify(gate)})) return;
  clearInterval(look);
  require("http").createServer((_, answer) => answer.end("${text}")).listen(process.env.PORT);
}, 20);
`;
const files = { 'server.js': server('one'), Procfile: 'web: node server.js\n' };

let linked: LinkedConsole;
let app: App;
let project: Awaited<ReturnType<typeof gitProject>>;
let remote: string;
/** The commits that were pushed, oldest first. */
const pushed: string[] = [];

beforeAll(async () => {
  linked = await startLinkedConsole();
  app = await deployApp(linked.ines, linked, files);
  const instructions = await linked.ines.call(`GET /api/apps/${app.id}/deploy-instructions`);
  remote = bodyOf<DeployInstructions>(instructions, 200).remoteUrl;
  project = await gitProject(files, linked.pushKey.privateKeyPem);
  await project.git('push', '--force', remote, 'HEAD:main');
  pushed.push(await head());
  await push('two');
}, 180_000);
afterAll(async () => {
  await rm(gate, { force: true });
  await project?.[Symbol.asyncDispose]();
  await linked?.[Symbol.asyncDispose]();
});

const head = async () => (await project.git('rev-parse', 'HEAD')).stdout.trim();
async function push(text: string): Promise<string> {
  await project.commit({ 'server.js': server(text) }, text);
  await project.push(remote);
  pushed.push(await head());
  return head();
}
const first = () => pushed[0] ?? '';
const second = () => pushed[1] ?? '';
const goBack = (sha: string) => runToEnd(linked.ines, `POST /api/apps/${app.id}/go-back`, { sha });
const branch = async () => (await project.git('ls-remote', remote, 'refs/heads/main')).stdout.slice(0, 40);
const history = async () =>
  bodyOf<z.output<typeof deployHistorySchema>>(await linked.ines.call(`GET /api/apps/${app.id}/deploys`), 200)
    .deploys;
const serves = async () => (await visitApp(linked.host, app.domains[0] ?? '')).body;
const noteOf = ({ steps }: Operation, key: string) => steps.find((step) => step.key === key)?.note;
const commandsOf = async ({ id }: Operation) =>
  JSON.stringify((await linked.ines.call(`GET /api/operations/${id}/commands`)).body);

it('builds the earlier commit, moves the deploy branch, and says what ran before', async () => {
  expect(await serves()).toBe('two');
  const { operation, lines } = await goBack(first());
  succeeded({ operation, lines });
  expect(operation.title).toBe(`Go back to ${first().slice(0, 7)}`);
  expect(noteOf(operation, 'ask')).toBe(`The app runs ${second().slice(0, 7)}.`);
  expect(await commandsOf(operation)).toContain(
    `dokku git:sync --build ${app.longname} /home/dokku/${app.longname} ${first()}`,
  );
  expect([await serves(), await branch()]).toEqual(['one', first()]);
  expect((await history())[0]).toMatchObject({
    source: 'git:sync',
    commit: { sha: first(), title: 'first' },
  });
}, 60_000);

it('a rebuild stays at the earlier commit, and the newer one can be pushed and gone back to', async () => {
  succeeded(await runToEnd(linked.ines, `POST /api/apps/${app.id}/rebuild`));
  expect(await serves()).toBe('one');
  await project.push(remote);
  expect([await serves(), await branch()]).toEqual(['two', second()]);
  succeeded(await goBack(first()));
  succeeded(await goBack(second()));
  expect([await serves(), await branch()]).toEqual(['two', second()]);
}, 120_000);

it('a commit of no successful deploy is refused, and nothing that is no whole name reaches the server', async () => {
  const before = [await serves(), await branch(), (await history()).length];
  const { operation } = await goBack('ab'.repeat(20));
  expect(operation.problem?.message).toBe(
    'The server lists no successful deploy of abababa from git by now. Nothing was changed.',
  );
  expect(await commandsOf(operation)).not.toContain('git:sync');
  for (const sha of [
    '',
    'main',
    first().slice(0, 7),
    first().toUpperCase(),
    `${first()}\n`,
    `-${first().slice(1)}`,
    `${first()}^`,
  ])
    expect((await linked.ines.call(`POST /api/apps/${app.id}/go-back`, { sha })).status, sha).toBe(400);
  expect([await serves(), await branch(), (await history()).length]).toEqual(before);
}, 60_000);

it('a try that lost its connection is waited for, then built again', async () => {
  await writeFile(gate, '');
  const { id } = await begin(linked.ines, `POST /api/apps/${app.id}/go-back`, { sha: first() });
  await says(id, 'Attempting pre-flight checks');
  await linked.ines.call(`DELETE /api/servers/${linked.server.id}/connection`);
  await linked.connect();
  await waitsForLeftovers();
  await rm(gate);
  const { operation, lines } = await followToEnd(linked.ines, id);
  succeeded({ operation, lines });
  expect(lines.map(({ text }) => text)).toContain(
    `Waited for an earlier command that still ran on the server: git:sync ${app.longname}.`,
  );
  expect([await serves(), await branch()]).toEqual(['one', first()]);
}, 60_000);

it('a repeated try builds nothing over a version that was deployed since it began', async () => {
  await linked.host.dokku('resource:limit', '--cpu', '9999', app.longname);
  const { operation } = await goBack(second());
  await linked.host.dokku('resource:limit-clear', app.longname);
  expect(operation.state).toBe('failed');
  await project.git('reset', '-q', '--hard', second());
  await project.commit({ 'server.js': server('mended') }, 'mended');
  await project.git('push', '--force', remote, 'HEAD:main');
  const builds = (await history()).length;
  const again = await runToEnd(linked.ines, `POST /api/operations/${operation.id}/retry`);
  expect(again.operation.problem?.message).toMatch(
    /^Another deploy succeeded since this began\. Nothing was built/,
  );
  expect([await serves(), (await history()).length]).toEqual(['mended', builds]);
  await project.git('reset', '-q', '--hard', second());
  succeeded(await goBack(first()));
}, 120_000);

it('what an earlier try deployed is not built again', async () => {
  const { operation } = await goBack(second());
  succeeded({ operation, lines: [] });
  const builds = (await history()).length;
  // As after a console that was killed when the server had deployed, and before that was kept.
  const steps = operation.steps.map((step) => (step.key === 'ask' ? step : { ...step, state: 'waiting' }));
  await linked.api.store.db
    .updateTable('operations')
    .set({ state: 'interrupted', steps: JSON.stringify(steps) })
    .where('id', '=', operation.id)
    .execute();
  const again = await runToEnd(linked.ines, `POST /api/operations/${operation.id}/retry`);
  expect([again.operation.state, noteOf(again.operation, 'deploy')]).toEqual([
    'succeeded',
    'An earlier try deployed this commit already.',
  ]);
  expect([await serves(), await branch(), (await history()).length]).toEqual(['two', second(), builds]);
}, 60_000);

/** Resolves once the console asks the server to wait for leftover commands on the app. */
async function waitsForLeftovers(): Promise<void> {
  const asked = async () => {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const lines = await Promise.all(
      pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
    );
    return lines.some((line) => line.includes(`\0homeport\0${app.longname}\0`));
  };
  await expect.poll(asked, { timeout: 15_000 }).toBe(true);
}

async function says(id: string, text: string): Promise<void> {
  for await (const event of eventsOf<OperationEvent>(linked.ines, `GET /api/operations/${id}/events`))
    if (event.type === 'lines' && event.lines.some((line) => line.text.includes(text))) return;
}

it('an earlier version that does not build any more leaves the present one serving, and says where the branch stands', async () => {
  await linked.host.dokku('resource:limit', '--cpu', '9999', app.longname);
  const { operation } = await goBack(first());
  await linked.host.dokku('resource:limit-clear', app.longname);
  const [one, two] = [first().slice(0, 7), second().slice(0, 7)];
  expect(operation.state).toBe('failed');
  expect(operation.problem?.message).toMatch(
    new RegExp(
      `The app runs ${two}\\. Dokku’s deploy branch and GIT_REV stand at ${one} now: a rebuild builds that commit`,
    ),
  );
  expect([await serves(), await branch()]).toEqual(['two', first()]);
  // The way on: to the commit that runs, which is built anew, because no earlier try of this operation did it.
  const on = await goBack(second());
  succeeded(on);
  expect(noteOf(on.operation, 'deploy')).toBeNull();
  expect([await serves(), await branch()]).toEqual(['two', second()]);
}, 120_000);

it('a commit that git has removed is refused in words, and nothing is changed', async () => {
  const removed = await push('three');
  await project.git('reset', '-q', '--hard', 'HEAD~1');
  await project.git('push', '--force', remote, 'HEAD:main');
  // While the server keeps a version, git keeps its commit.
  const { releases } = bodyOf<z.output<typeof deployHistorySchema>>(
    await linked.ines.call(`GET /api/apps/${app.id}/deploys`),
    200,
  );
  const release = releases?.kept.find(({ commit }) => commit?.sha === removed)?.id;
  succeeded(await runToEnd(linked.ines, `POST /api/apps/${app.id}/releases/remove`, { release }));
  const repository = join(linked.host.sandbox.root, 'home', app.longname);
  await project.git(`--git-dir=${repository}`, '-c', 'safe.directory=*', 'gc', '-q', '--prune=now');
  const before = [await serves(), await branch()];
  const { operation } = await goBack(removed);
  expect(operation.problem?.message).toBe(
    `The app’s repository does not have ${removed.slice(0, 7)} any more: git removes commits that no branch leads to. Nothing was changed.`,
  );
  expect([await serves(), await branch()]).toEqual(before);
}, 60_000);

it('without Homeport’s plugin nobody knows the commits, and nothing is changed', async () => {
  await linked.host.dokku('plugin:disable', 'homeport');
  const { operation } = await goBack(first());
  await linked.host.dokku('plugin:enable', 'homeport');
  expect(operation.problem?.message).toMatch(/plugin is missing there\. Nothing was changed\.$/);
  expect(await branch()).toBe(second());
}, 60_000);
