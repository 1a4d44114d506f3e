import { setTimeout as passes } from 'node:timers/promises';
import { begin, followToEnd, succeeded } from '@homeport/api/testing';
import type { OperationKind } from '@homeport/contract/operations/facts';
import type { Operation } from '@homeport/contract/operations/schema';
import { expect } from 'vitest';
import type { HostWithDokku } from './host-with-dokku.ts';
import type { LinkedProcess } from './linked-process.ts';

export type KilledWork = {
  linked: LinkedProcess;
  host: HostWithDokku;
  /** From which the moments were drawn, for the message of a failure. */
  seed: number;
  /** Checks that the pages and the server agree, except for the things of interrupted operations. */
  expectTruth(operations: readonly Operation[]): Promise<void>;
};

/** How long undisturbed work takes, in milliseconds. */
export async function lengthOf({ ines }: LinkedProcess, work: () => Promise<Operation>): Promise<number> {
  const from = performance.now();
  succeeded(await followToEnd(ines, (await work()).id));
  return performance.now() - from;
}

/** Begins the work, kills the console at the moment, starts it again, compares pages and server, and runs the work again to its end. */
export async function killAt(
  { linked, host, seed, expectTruth }: KilledWork,
  { moment, lengthMs, kind }: { moment: number; lengthMs: number; kind: OperationKind },
  work: () => Promise<Operation>,
): Promise<Operation> {
  const { ines } = linked;
  const operationsNow = async (which = '') =>
    (await ines.call(`GET /api/operations${which}`)).body as Operation[];
  const endsWell = async ({ id }: Operation) => succeeded(await followToEnd(ines, id));
  const compare = async () => expectTruth(await operationsNow('?active=true'));
  let where = 'before it began';
  try {
    const before = new Set((await operationsNow()).map(({ id }) => id));
    const answer = work().catch(() => null);
    await passes(moment);
    linked.console.child.kill('SIGKILL');
    await linked.console.ended;
    const answered = await answer;
    await linked.startAgain();

    const begun = (await operationsNow()).filter(({ id }) => !before.has(id));
    await compare();
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
    await compare();
    const { longname } = ended;
    if (longname) await expect.poll(() => host.workingOn(longname), { timeout: 10_000 }).toEqual([]);
    return ended;
  } catch (error) {
    const at = `${kind}, killed after ${moment} of ${Math.round(lengthMs)} ms (${where})`;
    throw new Error(`With KILL_SEED=${seed}: ${at}`, { cause: error });
  }
}
