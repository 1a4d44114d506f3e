/**
 * Long work with steps and an append-only log. `waiting`: the work needs a connection that only the browser
 * can open. `interrupted`: the console ended while the work ran; running it again is safe.
 */
export const operationStates = [
  'queued',
  'running',
  'waiting',
  'succeeded',
  'failed',
  'interrupted',
  'cancelled',
] as const;
export type OperationState = (typeof operationStates)[number];

/** Lines of a log that are read from its end. */
export const logTail = { usual: 60, most: 200 } as const;

/** States in which work does not go on by itself. */
export const overStates: readonly OperationState[] = ['succeeded', 'failed', 'interrupted', 'cancelled'];
export const isOver = (state: OperationState) => overStates.includes(state);
/** States that the header lists: work that goes on, waits, or stopped with the console. */
export const listedStates = [
  'queued',
  'running',
  'waiting',
  'interrupted',
] as const satisfies readonly OperationState[];
/** Work that ended early can run again, from its first unfinished step. */
export const canRunAgain = (state: OperationState) => isOver(state) && state !== 'succeeded';

/** Pages offer to cancel work while none of its commands runs. */
export const canBeCancelled = (state: OperationState) => state === 'queued' || state === 'waiting';

/** After this time, pages offer to cancel also running work whose window a person cannot leave. */
export const lockedAtMostMs = 60_000;

export const operationKinds = [
  'server.install',
  'server.add-dokku',
  'server.reinstall-agent',
  'server.update-account',
  'server.plugin',
  'server.global-domain',
  'server.remove',
  'server.import',
  'server.import-databases',
  'app.create',
  'app.start',
  'app.stop',
  'app.restart',
  'app.rebuild',
  'app.destroy',
  'app.plan',
  'app.domain-add',
  'app.domain-remove',
  'app.https',
  'app.storage',
  'app.ports',
  'app.scale',
  'app.restart-process',
  'app.process-rules',
  'app.checks',
  'app.run',
  'app.run-stop',
  'app.cron-suspend',
  'app.cron-resume',
  'app.cron-run',
  'app.remove-left-containers',
  'app.release-serve',
  'app.release-remove',
  'app.continuous',
  'app.continuous-remove',
  'app.deploy-commit',
  'app.go-back',
  'app.deploy-key-remove',
  'database.create',
  'database.remove-remains',
  'database.start',
  'database.stop',
  'database.restart',
  'database.link',
  'database.unlink',
  'database.promote',
  'database.expose',
  'database.unexpose',
  'database.delete',
  'database.dump',
  'database.restore',
  'database.backup',
  'database.backup-client',
  'database.test',
] as const;
export type OperationKind = (typeof operationKinds)[number];

/** The states of one step. */
export const stepStates = ['waiting', 'running', 'done', 'warned', 'failed', 'skipped'] as const;
export type StepState = (typeof stepStates)[number];
