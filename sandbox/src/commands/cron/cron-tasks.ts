import type { Call } from '../../machine/call.ts';
import type { App, CronTask } from '../../machine/state.ts';

/** Like Dokku: app, command and schedule as one number in base 36. */
export function idOf(app: string, { command, schedule }: CronTask): string {
  const hex = Buffer.from(`${app}===${command}===${schedule}`).toString('hex');
  return BigInt(`0x${hex}`).toString(36);
}

/** The app's task with this id. Fails like Dokku without one. */
export function taskOf(call: Call, app: App, id = ''): CronTask {
  const task = (app.cron ?? []).find((each) => idOf(app.name, each) === id);
  return (
    task ??
    call.fail(
      `No matching Cron ID found. Please specify a Cron ID from the output of 'dokku cron:list ${app.name}'`,
    )
  );
}

/** Suspended by `cron:suspend`, or by app.json itself. */
export const isSuspended = (app: App, task: CronTask): boolean =>
  task.maintenance === true || (app.cronSuspended ?? []).includes(idOf(app.name, task));
