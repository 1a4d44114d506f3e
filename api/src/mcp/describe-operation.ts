import type { OperationKind } from '@homeport/contract/operations/facts';
import type { Operation } from '@homeport/contract/operations/schema';
import { Untrusted, untrusted } from './answer.ts';
import { fitting, moment } from './records.ts';

/** Work whose log is what a person's program wrote in the app, and may hold the values of variables. No tool shows it. */
const ofPersonsPrograms: ReadonlySet<OperationKind> = new Set<OperationKind>(['app.run', 'app.cron-run']);

export const isLogShown = ({ kind }: Pick<Operation, 'kind'>): boolean => !ofPersonsPrograms.has(kind);

/** An operation without its log. */
export function describeOperation(operation: Operation) {
  const { problem, steps } = operation;
  const shown = fitting(
    steps.map(({ key, title, state, note }) => ({
      ...{ key, state, title: untrusted('the title of a step', title) },
      ...(note !== null && { note: untrusted('a note of a step', note.slice(0, 300)) }),
    })),
    8_000,
  );
  return {
    ...shortOperation(operation),
    steps: shown.some,
    ...(shown.leftOut > 0 && { stepsLeftOut: shown.leftOut }),
    problem: problem && {
      code: problem.code,
      message: untrusted('why the operation failed', problem.message),
      exitCode: problem.remote?.exitCode ?? null,
      ...(problem.remote &&
        isLogShown(operation) && {
          command: untrusted('the command that failed', problem.remote.command),
          output: new Untrusted('what the failed command wrote', problem.remote.outputTail.split('\n')),
        }),
    },
  };
}

/** An operation in a list. Its title may hold words of an app's repository. */
export const shortOperation = (operation: Operation) => {
  const { id, kind, title, state, serverName, longname, waitingFor, createdAt, endedAt } = operation;
  return {
    ...{ id, kind, state, title: untrusted('a title', title), server: serverName, app: longname },
    waitingFor: waitingFor?.reason ?? null,
    failedStep: operation.steps.find((step) => step.state === 'failed')?.key ?? null,
    createdAt: moment(createdAt),
    endedAt: moment(endedAt),
  };
};
