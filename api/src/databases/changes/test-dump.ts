import { randomUUID } from 'node:crypto';
import { restoreTestOutcomes } from '@homeport/contract/databases/facts';
import { countsText, expectedText } from '@homeport/contract/databases/restore-test-text';
import { dumps } from '@homeport/dokku';
import { z } from 'zod';
import { ProblemError } from '../../http/problem.ts';
import { notifyChange } from '../../live/notify-change.ts';
import {
  type AnyOperationDefinition,
  defineOperation,
  type StepContext,
  type StepOutcome,
} from '../../operations/definition.ts';
import { findDump, refusedDump } from '../dumps/list-dumps.ts';
import { dumpDeadlineMs } from './dump-database.ts';
import { awaitLeftovers, type Deps, nameOf, onDatabaseInput, quietly } from './on-database.ts';

const testInput = onDatabaseInput.extend({ dumpId: z.uuid(), madeAt: z.number() });
type TestInput = z.output<typeof testInput>;
type Context = StepContext<TestInput>;

/**
 * Restores a dump into a database made for this on the same server, compares what is there with what was counted when the dump was
 * made, and removes that database. The server keeps what was found, and removes what a killed test left.
 */
export function testDump(deps: Deps): AnyOperationDefinition {
  return defineOperation<TestInput>({
    kind: 'database.test',
    input: testInput,
    title: () => 'Restore test',
    steps: () => [
      { key: 'check', title: 'Look for the dump', run: check },
      { key: 'test', title: 'Restore it into a database made for the test', run: restore },
      {
        key: 'compare',
        title: 'Compare what is there with the dump',
        run: (context) => compare(deps, context),
      },
    ],
    beforeRepeat: awaitLeftovers,
    onFailure: (context) => notifyChange(deps.db, context.owner, 'databases', context.input.databaseId),
  });
}

async function check(context: Context): Promise<undefined> {
  await findDump(quietly(context), context.input, context.input.dumpId);
}

/** What the next step compares. */
const foundSchema = z.object({
  outcome: z.enum(restoreTestOutcomes),
  found: z.object({ parts: z.number(), entries: z.number() }).nullable(),
  expected: z.object({ parts: z.number(), least: z.number(), most: z.number() }).nullable(),
});

/** A test that ended is told again under its name. So a test that failed gets another name before it is run again. */
async function restore(context: Context): Promise<undefined> {
  const { type, dumpId } = context.input;
  const run = dumps.dumpId(z.uuid().catch(context.operationId).parse(context.facts.run));
  const ran = await context.run('apps', dumps.test(type, nameOf(context), dumps.dumpId(dumpId), run), {
    accept: 'any',
    quiet: 'answer',
    deadlineMs: dumpDeadlineMs,
  });
  if (ran.exitCode !== 0) throw refusedDump(ran);
  const { outcome, found, expected, failure } = dumps.readTest(ran);
  if (outcome !== 'failed') {
    await context.remember({ told: { outcome, found, expected } });
    return;
  }
  await context.remember({ run: randomUUID() });
  throw new ProblemError('remote_failed', `This dump could not be restored for a test. ${failure}`, {
    recovery: 'The database itself was not touched. Make another dump and test that one, or run this again.',
  });
}

async function compare(deps: Deps, context: Context): Promise<StepOutcome> {
  const { type, databaseId } = context.input;
  const { outcome, found, expected } = foundSchema.parse(context.facts.told);
  const there = found ? countsText(type, found) : '';
  if (outcome === 'different' && expected)
    throw new ProblemError(
      'remote_failed',
      `The restored dump holds ${there}. When it was made, the database held ${expectedText(type, expected)}.`,
      { recovery: 'The database itself was not touched. Make another dump, and test that one.' },
    );
  await notifyChange(deps.db, context.owner, 'databases', databaseId);
  await context.toast('ok', 'Restore proven');
  return {
    note:
      outcome === 'same'
        ? `The restored dump holds ${there}, as the database did when the dump was made.`
        : `The restored dump holds ${there}. Nothing was counted when it was made, so there was nothing to compare.`,
  };
}
