import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operationLog } from '@homeport/contract/limits';
import type { Operation } from '@homeport/contract/operations/schema';
import { makeKey, type Sshd, signerFor, startSshd } from '@homeport/ssh/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApi, type TestApi, type TestPerson } from '../http/testing.ts';
import { linkServer, type TestLink } from '../testing/link-server.ts';
import { begin, followToEnd } from '../testing/page.ts';

/** A hostile server whose every command prints a flood, which the steps of an installation meet. */
let api: TestApi;
let ada: TestPerson;
let folder: string;
let attack: string;
let sshd: Sshd;
let eve: TestPerson;
let link: TestLink;

const fullLine = 'The log is full: later lines are not kept.';
const mebibyte = 1024 * 1024;
/** An attack goes on until another person got so many answers, on a machine of any speed. */
const answersMeanwhile = 6;

beforeAll(async () => {
  api = await startTestApi({ signUps: 'open' });
  ada = await api.signUp('ada');
  eve = await api.signUp('eve');
  folder = await mkdtemp(join(tmpdir(), 'homeport-hostile-'));
  await chmod(folder, 0o755);
  attack = join(folder, 'attack');
  // The server answers the questions of the opening, so the attacks begin with the first step.
  await attackWith('exec sh -c "$SSH_ORIGINAL_COMMAND"');
  const { publicKeyLine, privateKeyPem } = makeKey();
  sshd = await startSshd({ authorizedKeys: [publicKeyLine], config: { ForceCommand: attack } });
  link = await linkServer(api.url, eve, { sshd, publicKeyLine, signer: signerFor(privateKeyPem) });
  await link.connect();
}, 60_000);
afterAll(async () => {
  await sshd?.dispose();
  await api?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const attackWith = (script: string) => writeFile(attack, `#!/bin/sh\n${script}\n`, { mode: 0o755 });

/** Sends requests of another person until `over`. Returns the slowest answer. */
async function askAsAda(over: () => boolean, enough: () => void) {
  let answers = 0;
  let slowestMs = 0;
  while (!over()) {
    const asked = performance.now();
    const { status } = await ada.call('GET /api/servers');
    expect(status).toBe(200);
    answers += 1;
    slowestMs = Math.max(slowestMs, performance.now() - asked);
    if (answers === answersMeanwhile) enough();
    // Slower than the pace of one person, however long the attack lasts.
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return slowestMs;
}

const rowsOf = ({ id }: Operation) =>
  api.store.db.selectFrom('operation_lines').select('text').where('operation_id', '=', id);

const linesOf = async (operation: Operation) =>
  (await rowsOf(operation).orderBy('seq').execute()).map(({ text }) => text);

const newestLineOf = async (operation: Operation) =>
  (await rowsOf(operation).orderBy('seq', 'desc').limit(1).executeTakeFirst())?.text;

/** The slowest answer to Ada while `work` goes on, and the largest growth of this process. The work waits for enough answers. */
async function whileRunning<T>(work: (enoughAnswers: Promise<void>) => Promise<T>) {
  let isOver = false;
  let enough = () => {};
  const enoughAnswers = new Promise<void>((resolve) => {
    enough = resolve;
  });
  const before = process.memoryUsage().rss;
  let grownBy = 0;
  const watch = setInterval(() => {
    grownBy = Math.max(grownBy, process.memoryUsage().rss - before);
  }, 20);
  const begunAt = performance.now();
  const [result, slowestMs] = await Promise.all([
    work(enoughAnswers).finally(() => (isOver = true)),
    askAsAda(() => isOver, enough),
  ]);
  const lastedMs = performance.now() - begunAt;
  clearInterval(watch);
  return { result, slowestMs, lastedMs, grownBy };
}

test('a line of 60 MB without an end is cut, costs little memory, and others are answered meanwhile', async () => {
  const answered = join(folder, 'answered');
  await attackWith(
    `head -c 60000000 /dev/zero | tr '\\0' a\nuntil [ -e '${answered}' ]; do sleep 0.05; done`,
  );
  const begun = await begin(eve, `POST /api/servers/${link.server.id}/install`);
  const { result, slowestMs, lastedMs, grownBy } = await whileRunning(async (enoughAnswers) => {
    void enoughAnswers.then(() => writeFile(answered, ''));
    return followToEnd(eve, begun.id);
  });
  expect(result.operation.state).toBe('failed');
  const lines = await linesOf(begun);
  expect(lines).toContain('a'.repeat(operationLog.lineCharacters));
  expect(Math.max(...lines.map((line) => line.length))).toBe(operationLog.lineCharacters);
  expect(lines.length).toBeLessThan(20);
  // Nobody waits for the end of the attack.
  expect(slowestMs).toBeLessThan(lastedMs / 2);
  expect(grownBy).toBeLessThan(100 * mebibyte);
}, 90_000);

test.each([
  ['lines', 'yes ""'],
  ['characters', `yes "$(head -c 3000 /dev/zero | tr '\\0' a)"`],
])(
  'a log past its bound of %s says so once and stops growing, until the endless output is cancelled',
  async (_of, script) => {
    await attackWith(`exec ${script}`);
    const begun = await begin(eve, `POST /api/servers/${link.server.id}/install`);
    const flooded = async (enoughAnswers: Promise<void>) => {
      await expect.poll(() => newestLineOf(begun), { timeout: 30_000, interval: 200 }).toBe(fullLine);
      // The output goes on, and the log keeps nothing more.
      await new Promise((resolve) => setTimeout(resolve, 500));
      await enoughAnswers;
      const cancelled = await eve.call(`POST /api/operations/${begun.id}/cancel`, {});
      expect(cancelled.status).toBeLessThan(300);
      return followToEnd(eve, begun.id);
    };
    const { result, slowestMs, lastedMs, grownBy } = await whileRunning(flooded);
    expect(result.operation.state).toBe('cancelled');
    const lines = await linesOf(begun);
    expect(lines.filter((line) => line === fullLine)).toHaveLength(1);
    expect(lines.at(-1)).toBe(fullLine);
    expect(lines.length).toBeLessThanOrEqual(operationLog.lines);
    expect(lines.reduce((sum, line) => sum + line.length, 0)).toBeLessThan(operationLog.characters + 4_000);
    expect(slowestMs).toBeLessThan(lastedMs / 2);
    expect(grownBy).toBeLessThan(100 * mebibyte);
  },
  90_000,
);
