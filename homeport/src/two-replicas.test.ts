import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as passes } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  begin,
  bodyOf,
  createVisitor,
  followToEnd,
  linkServer,
  openLivePage,
  password,
  type SandboxServer,
  signUp,
  startSandboxServer,
  succeeded,
  type TestLink,
  type TestVisitor,
} from '@homeport/api/testing';
import type { App } from '@homeport/contract/apps/schema';
import type { Operation } from '@homeport/contract/operations/schema';
import { freePort } from '@homeport/contract/testing';
import { administer, testServerUrl, withDatabase } from '@homeport/store/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Front, startBalancer } from '../testing/balancer.ts';
import { startCaddyFront } from '../testing/caddy-front.ts';
import {
  buildServer,
  type ConsoleProcess,
  startConsoleProcess,
  temporaryFolder,
} from '../testing/console-process.ts';

const guide = fileURLToPath(new URL('../../docs/operator-guide.md', import.meta.url));
const hasCaddy = spawnSync('caddy', ['version']).status === 0 || process.env.CI === 'true';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });
/** Marks of a vanished process come after half a minute. */
const within = { timeout: 120_000, interval: 200 };

describe.each([
  ['a balancer that does what the guide asks of one', startBalancer, true],
  ['Caddy with the guide’s lines', startCaddyFront, hasCaddy],
] as const)('two replicas on one PostgreSQL behind %s', (_name, startFront, isHere) => {
  describe.skipIf(!isHere)('while both run and when one ends', () => {
    let name: string;
    let url: string;
    let folder: Awaited<ReturnType<typeof temporaryFolder>>;
    let front: Front;
    let host: SandboxServer;
    let link: TestLink;
    let start: (at: number) => Promise<ConsoleProcess>;
    /** By their ports. */
    const replicas = new Map<number, ConsoleProcess>();
    let ines: Awaited<ReturnType<typeof signUp>>;

    beforeAll(async () => {
      buildServer();
      name = `test_${randomBytes(8).toString('hex')}`;
      await administer(testServerUrl(), (client) => client.query(`create database ${name}`));
      folder = await temporaryFolder();
      const secret = randomBytes(24).toString('hex');
      const ports = [await freePort(), await freePort()];
      const port = await freePort();
      url = `http://127.0.0.1:${port}`;
      start = async (at) => {
        const console = startConsoleProcess(
          ['--data', join(folder.path, String(at)), '--port', String(at), '--only', 'api,monitor'],
          {
            ...{ DATABASE_URL: withDatabase(testServerUrl(), name), HOMEPORT_SECRET: secret },
            ...{ HOMEPORT_PUBLIC_URL: url, HOMEPORT_TRUST_PROXY: '127.0.0.1' },
            ...{ HOMEPORT_ALLOW_PRIVATE_TARGETS: 'true', HOMEPORT_CHECK_ANCHORS: 'none' },
          },
        );
        replicas.set(at, console);
        await console.ready();
        return console;
      };
      host = await startSandboxServer({ pace: 0.05 });
      await Promise.all(ports.map(start));
      front = await startFront({
        port,
        replicas: ports,
        folder: folder.path,
        guide: await readFile(guide, 'utf8'),
      });
      ines = await signUp(url, 'ines');
      link = await linkServer(url, ines, host);
      await link.connect();
    });
    afterAll(async () => {
      await front?.stop();
      for (const { child, ended } of replicas.values()) {
        child.kill('SIGTERM');
        await ended;
      }
      await host?.[Symbol.asyncDispose]();
      await administer(testServerUrl(), (client) =>
        client.query(`drop database if exists ${name} with (force)`),
      );
      await folder?.[Symbol.asyncDispose]();
    });

    const replicaOf = (person: TestVisitor) => {
      const found = replicas.get(front.replicaOf(person.cookie()) ?? 0);
      if (!found) throw new Error(`No replica serves ${person.cookie()}.`);
      return found;
    };
    /** Another browser of hers, which the front leads to the other replica. */
    async function openPhone(): Promise<TestVisitor> {
      const wanted = [...replicas.keys()].find((each) => each !== front.replicaOf(ines.cookie()));
      let phone = createVisitor(url);
      await expect
        .poll(async () => {
          phone = createVisitor(url);
          await phone.call('GET /healthz');
          return front.replicaOf(phone.cookie());
        }, within)
        .toBe(wanted);
      const { email } = ines;
      bodyOf(await phone.call('POST /api/auth/sign-in/email', { email, password }), 200);
      expect(front.replicaOf(phone.cookie())).toBe(wanted);
      return phone;
    }
    const read = async <T>(person: TestVisitor, path: string) =>
      bodyOf<T>(await person.call(`GET ${path}`), 200);
    const create = (appName: string) =>
      begin(ines, 'POST /api/apps', { name: appName, serverId: link.server.id, keyIds: [link.pushKey.id] });

    test('a browser stays with its replica, and a change in one reaches the page of the other', async () => {
      const phone = await openPhone();
      const page = await openLivePage(url, phone);
      const id = page.subscribe('GET /api/events');
      await expect.poll(() => page.heard, within).toContainEqual({ type: 'opened', id });
      succeeded(await followToEnd(ines, (await create('undisturbed')).id));
      await expect.poll(() => JSON.stringify(page.heard), within).toContain('"topic":"apps"');
      expect((await read<App[]>(phone, '/api/apps')).map((app) => app.name)).toEqual(['undisturbed']);
      page.close();
    });

    test('a replica that ends in order fails no request of its browsers, and the other serves them', async () => {
      const phone = await openPhone();
      const ending = replicaOf(phone);
      const at = front.replicaOf(phone.cookie()) ?? 0;
      const answers: number[] = [];
      let over = false;
      void ending.ended.then(() => {
        over = true;
      });
      ending.child.kill('SIGTERM');
      while (!over) {
        answers.push((await phone.call('GET /api/apps')).status);
        // One person has a pace.
        await Promise.race([ending.ended, passes(20)]);
      }
      answers.push((await phone.call('GET /api/apps')).status);
      expect(new Set(answers)).toEqual(new Set([200]));
      await start(at);
    });

    test('a replica that is killed in the middle of work: the next request is answered, its operation says what happened, and can be run again', async () => {
      const phone = await openPhone();
      const page = await openLivePage(url, phone);
      page.subscribe('GET /api/events');
      const operation = await create('broken off');
      await expect
        .poll(async () => (await read<Operation>(phone, `/api/operations/${operation.id}`)).state, within)
        .toBe('running');
      const killed = replicaOf(ines);
      killed.child.kill('SIGKILL');
      await killed.ended;
      expect((await ines.call(`GET /api/operations/${operation.id}`)).status).toBe(200);
      await expect
        .poll(async () => (await read<Operation>(ines, `/api/operations/${operation.id}`)).state, within)
        .toBe('interrupted');
      expect(JSON.stringify(page.heard)).toContain(operation.id);
      const again = await begin(ines, `POST /api/operations/${operation.id}/retry`);
      await link.connect();
      const { lines, operation: ended } = await followToEnd(ines, again.id);
      expect(ended.state).toBe('succeeded');
      expect(lines.map(({ text }) => text).join('\n')).toContain('The console stopped without warning.');
      expect((await read<App[]>(ines, '/api/apps')).map((app) => app.name).sort()).toEqual([
        'broken off',
        'undisturbed',
      ]);
      page.close();
    });
  });
});
