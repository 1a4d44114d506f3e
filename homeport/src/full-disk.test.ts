import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { begin, followToEnd, type TestVisitor } from '@homeport/api/testing';
import type { Operation } from '@homeport/contract/operations/schema';
import type { Server } from '@homeport/contract/servers/schema';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildServer, isRunning, postmasterPid, query, temporaryFolder } from '../testing/console-process.ts';
import { type LinkedProcess, startLinkedProcess } from '../testing/linked-process.ts';

const canMount = process.getuid?.() === 0 && process.platform === 'linux';
const withinMs = 60_000;
/** Covers the build, the start and an installation on a machine that may be busy. */
const startsWithinMs = 240_000;

describe.skipIf(!canMount)('while the disk of the console is full (needs root, to make a small disk)', () => {
  let data: Awaited<ReturnType<typeof temporaryFolder>>;
  let linked: LinkedProcess;
  let ines: TestVisitor;
  /** The names of all servers that the console confirmed as linked. */
  const saved = ['lantern'];

  beforeAll(async () => {
    buildServer();
    data = await temporaryFolder();
    const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=224m', 'tmpfs', data.path]);
    if (status !== 0) throw new Error(`no small disk could be made: ${stderr}`);
    linked = await startLinkedProcess(data.path, { only: 'api,monitor', pace: 0.1 });
    ({ ines } = linked);
  }, startsWithinMs);

  afterAll(async () => {
    await linked?.[Symbol.asyncDispose]();
    // A console that never got ready may still use the disk. A lazy unmount frees the disk when that console ends.
    if (data) spawnSync('umount', ['--lazy', data.path]);
    await data?.[Symbol.asyncDispose]();
  });

  const ballast = () => join(data.path, 'ballast');
  const fillDisk = () => {
    // dd(1) ends with an error when nothing more fits. Small blocks leave no room for a page of PostgreSQL’s.
    const { stderr } = spawnSync('dd', ['if=/dev/zero', `of=${ballast()}`, 'bs=4k'], { encoding: 'utf8' });
    expect(stderr).toContain('No space left on device');
  };

  /** Links a server at which nothing listens. */
  async function link(name: string) {
    const answer = await ines.call('POST /api/servers', {
      name,
      ip: '127.0.0.1',
      port: 10_000 + saved.length,
      username: 'root',
      credential: linked.server.credential,
      subdomain: name,
    });
    if (answer.status === 201) saved.push(name);
    return answer;
  }

  /** Links servers until one is refused. PostgreSQL still stores rows that fit into its existing pages. */
  async function untilRefused(from: number) {
    for (let number = from; number < from + 500; number++) {
      const answer = await link(`full${number}`);
      if (answer.status !== 201) return answer;
    }
    throw new Error('Five hundred servers were saved on a full disk.');
  }

  async function expectAllSaved(): Promise<void> {
    const names = ((await ines.call('GET /api/servers')).body as Server[]).map(({ name }) => name);
    expect(names.sort()).toEqual([...saved].sort());
  }

  test('refuses to save with a plain message, still reads, and works again when there is space', async () => {
    fillDisk();
    expect(await untilRefused(0)).toMatchObject({
      status: 503,
      body: {
        code: 'unavailable',
        message: 'The disk of the console is full, so this was not saved. What was saved before is kept.',
        recovery: expect.stringContaining('Free some space'),
      },
    });
    await expectAllSaved();
    await rm(ballast());
    expect(await link('roomy')).toMatchObject({ status: 201 });
    await expectAllSaved();
    expect(linked.console.child.exitCode).toBeNull();
  }, 60_000);

  test('an operation ends and says so, and runs again when there is space', async () => {
    await ines.call(`DELETE /api/servers/${linked.server.id}/connection`);
    const { id } = await begin(ines, 'POST /api/apps', {
      name: 'ledger',
      serverId: linked.server.id,
      keyIds: [linked.pushKey.id],
    });
    fillDisk();
    // The operation begins only now. The row of its app is the first of its table and needs a page that the disk does not have.
    await linked.connect();
    const state = async () => ((await ines.call(`GET /api/operations/${id}`)).body as Operation).state;
    const unrecorded = () => linked.console.output().includes('an operation could not be recorded');
    await expect
      .poll(async () => (unrecorded() ? 'unrecorded' : await state()), { timeout: withinMs })
      .toMatch(/failed|unrecorded/);
    await rm(ballast());
    const { operation: stopped } = await followToEnd(ines, id);
    // The state is failed if the end could be recorded, and interrupted if even that found no space.
    if (stopped.state !== 'interrupted') {
      expect(stopped).toMatchObject({
        state: 'failed',
        problem: { code: 'unavailable', message: expect.stringContaining('disk of the console is full') },
      });
    }
    await begin(ines, `POST /api/operations/${id}/retry`);
    const { operation, lines } = await followToEnd(ines, id);
    expect(operation.state, JSON.stringify({ operation, lines })).toBe('succeeded');
  }, 120_000);

  test('PostgreSQL comes back by itself after it ended on the full disk, with everything saved', async () => {
    const first = await postmasterPid(data.path);
    fillDisk();
    // Each statement makes the write-ahead log grow until there is no space. PostgreSQL then stops at once and cannot recover.
    const grow = "select pg_logical_emit_message(false, 'grow', repeat('x', 2000000))";
    await expect
      .poll(() => query(data.path, grow).catch(() => isRunning(first)), { timeout: withinMs, interval: 5 })
      .toBe(false);
    await expect.poll(() => linked.console.output(), { timeout: withinMs }).toContain('PostgreSQL has ended');
    expect(await link('gone')).toMatchObject({
      status: 503,
      body: { code: 'unavailable', message: expect.stringContaining('database does not answer') },
    });
    const alive = await fetch(`${linked.url}/healthz`);
    expect(alive.status).toBe(200);
    expect(await alive.json()).toMatchObject({ status: 'store_unavailable' });
    expect((await fetch(`${linked.url}/readyz`)).status).toBe(503);

    await rm(ballast());
    await expect
      .poll(async () => (await fetch(`${linked.url}/readyz`)).status, { timeout: withinMs })
      .toBe(200);
    expect(await link('later')).toMatchObject({ status: 201 });
    await expectAllSaved();
    expect(linked.console.child.exitCode).toBeNull();
    expect(await postmasterPid(data.path)).not.toBe(first);
  }, 120_000);
});
