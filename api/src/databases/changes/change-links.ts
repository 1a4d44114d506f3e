import { messages } from '@homeport/contract/messages';
import type { OperationKind } from '@homeport/contract/operations/facts';
import { type AppName, appName, failureOf, ps, service } from '@homeport/dokku';
import { z } from 'zod';
import { restartIfDeployed } from '../../apps/changes/restart-if-deployed.ts';
import { ProblemError, wrongField } from '../../http/problem.ts';
import {
  type AnyOperationDefinition,
  defineOperation,
  type StepContext,
  type StepOutcome,
} from '../../operations/definition.ts';
import type { DatabaseRow } from '../../records/database-record.ts';
import { failureSentence } from '../../remote/failure-sentence.ts';
import { type Ran, tailOf } from '../../remote/run-command.ts';
import { awaitLeftovers, type Deps, nameOf, onDatabaseInput, readAgain } from './on-database.ts';

const linkInput = onDatabaseInput.extend({ appLongname: z.string(), restart: z.boolean() });
type LinkInput = z.output<typeof linkInput>;
type Context = StepContext<LinkInput>;

const deadlineMs = 3 * 60_000;

/**
 * Sets the variable, reads which one Dokku took, then restarts the app once: a link to an app that has another
 * database of this type takes another name.
 */
export function linkDatabase(deps: Deps): AnyOperationDefinition {
  return changeLinks({
    kind: 'database.link',
    title: 'Link to',
    step: 'Link the app',
    act: async (context) => {
      const ran = await runOnApp(context, service.link);
      if (ran.exitCode === 0) return undefined;
      const failure = failureOf(ran);
      if (failure?.code === 'already_linked') return { note: failureSentence(failure) };
      throw refusal(context, ran);
    },
    read: async (context) => {
      const link = linkOf(await readAgain(deps, context), context);
      if (!link) throw new ProblemError('remote_failed', 'Dokku linked the app, and does not list the link.');
      await context.toast('ok', messages.databaseLinked);
      return link.variable === null
        ? { state: 'warned', note: 'Dokku linked the app. Which variable it set could not be read.' }
        : { note: `The app reads the connection string from ${link.variable}.` };
    },
  });
}

/** Takes the variable and the link away, then restarts the app once. A link that is gone already counts as taken away. */
export function unlinkDatabase(deps: Deps): AnyOperationDefinition {
  return changeLinks({
    kind: 'database.unlink',
    title: 'Unlink from',
    step: 'Unlink the app',
    act: (context) => unlinkApp(context, context.input.appLongname),
    read: async (context) => {
      if (linkOf(await readAgain(deps, context), context))
        throw new ProblemError('remote_failed', 'The server still lists the link. Run this again.');
      return undefined;
    },
  });
}

/** Takes one link away. */
export async function unlinkApp(
  context: Pick<StepContext<z.output<typeof onDatabaseInput>>, 'run' | 'input'>,
  app: string,
): Promise<StepOutcome | undefined> {
  const { type } = context.input;
  const ran = await context.run('apps', service.unlink(type, nameOf(context), appName(app)), {
    accept: 'any',
    deadlineMs,
  });
  if (ran.exitCode === 0) return undefined;
  const failure = failureOf(ran);
  if (failure?.code === 'not_linked' || failure?.code === 'app_missing')
    return { note: failureSentence(failure) };
  throw refusal({ input: { ...context.input, appLongname: app } }, ran);
}

/** Makes the type’s usual variable name this database. Dokku restarts the app meanwhile: there is no form without. */
export function promoteDatabase(deps: Deps): AnyOperationDefinition {
  return changeLinks({
    kind: 'database.promote',
    title: 'Promotion for',
    step: 'Change the app’s variable',
    act: async (context) => {
      const ran = await runOnApp(context, service.promote, 15 * 60_000);
      if (ran.exitCode === 0) return undefined;
      const failure = failureOf(ran);
      if (failure?.code === 'already_promoted') return { note: failureSentence(failure) };
      throw refusal(context, ran);
    },
    read: async (context) => {
      const link = linkOf(await readAgain(deps, context), context);
      const app = appName(context.input.appLongname);
      // Dokku restarted the app, and reports success whatever came of that.
      const ran = await context.run('apps', ps.report(app), { accept: 'any', quiet: true });
      if (ran.exitCode === 0 && ps.readReport(ran).crashed)
        return {
          state: 'warned',
          note: 'The variable is changed, and the app does not run since its restart. Its log says why.',
        };
      return link?.variable ? { note: `The app reads this database from ${link.variable}.` } : undefined;
    },
  });
}

type Change = {
  kind: OperationKind;
  title: string;
  step: string;
  act(context: Context): Promise<StepOutcome | undefined>;
  read(context: Context): Promise<StepOutcome | undefined>;
};

function changeLinks({ kind, title, step, act, read }: Change): AnyOperationDefinition {
  return defineOperation<LinkInput>({
    kind,
    input: linkInput,
    title: ({ appLongname }) => `${title} ${appLongname}`,
    steps: ({ restart }) => [
      { key: 'act', title: step, run: act },
      { key: 'read', title: 'Read the links', run: read },
      ...(restart ? [{ key: 'restart', title: 'Restart the app', run: restartApp }] : []),
    ],
    beforeRepeat: awaitLeftovers,
  });
}

const restartApp = (context: Context) =>
  restartIfDeployed({ ...context, input: { longname: context.input.appLongname } });

function runOnApp(
  context: Context,
  command: (
    type: LinkInput['type'],
    name: ReturnType<typeof nameOf>,
    app: AppName,
  ) => Parameters<Context['run']>[1],
  atMostMs = deadlineMs,
): Promise<Ran> {
  const { type, appLongname } = context.input;
  return context.run('apps', command(type, nameOf(context), appName(appLongname)), {
    accept: 'any',
    deadlineMs: atMostMs,
  });
}

function refusal({ input }: { input: { appLongname: string } }, ran: Ran): ProblemError {
  const failure = failureOf(ran);
  if (failure?.code === 'app_missing')
    return wrongField('appLongname', `The server has no app ${input.appLongname}.`);
  return new ProblemError(
    'remote_failed',
    failure ? failureSentence(failure) : 'Dokku did not change the link.',
    { remote: { ...ran.record, outputTail: tailOf(ran) } },
  );
}

const linkOf = ({ links }: DatabaseRow, { input }: Context) =>
  links.find(({ appLongname }) => appLongname === input.appLongname);
