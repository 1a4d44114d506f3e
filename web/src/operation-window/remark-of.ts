import type { Operation } from '@homeport/contract/operations/schema';

/** One sentence on a wait or an early end; null: the steps say all. */
export function remarkOf({
  kind,
  waitingFor,
  problem,
  state,
}: Pick<Operation, 'kind' | 'waitingFor' | 'problem' | 'state'>): string | null {
  if (waitingFor) return waitingFor.text;
  if (problem) return `${problem.message} ${problem.recovery}`;
  // Nobody knows what a command does twice.
  if (kind === 'app.run' && (state === 'interrupted' || state === 'cancelled'))
    return `${state === 'interrupted' ? 'The console was restarted while this ran' : 'This was cancelled'}. The command may go on: Commands on the app’s page shows what runs. Run again begins it anew.`;
  // Nor what a task does twice.
  if (kind === 'app.cron-run' && (state === 'interrupted' || state === 'cancelled'))
    return `${state === 'interrupted' ? 'The console was restarted while this ran' : 'This was cancelled'}. The task may have run on: look at what it did before you run it again.`;
  // Between two commands Dokku's lists may be empty.
  if (kind === 'app.checks' && (state === 'interrupted' || state === 'cancelled'))
    return `${state === 'interrupted' ? 'The console was restarted while this ran' : 'This was cancelled'}. Until it has run again, a deploy may check types that were to be unchecked.`;
  // Names are added before others are removed.
  if (kind === 'app.push-keys' && (state === 'interrupted' || state === 'cancelled'))
    return `${state === 'interrupted' ? 'The console was restarted while this ran' : 'This was cancelled'}. Until it has run again, a key that was to be taken off may still push, and a new key may be on the server already, where it pushes to apps without a list.`;
  // The work on the server has an end of its own, whoever follows it.
  if (kind === 'app.site' && (state === 'interrupted' || state === 'cancelled'))
    return `${state === 'interrupted' ? 'The console was restarted while this ran' : 'This was cancelled'}. The server goes on with it until the change holds or is put back. Running it again waits for that, and is safe.`;
  if (state === 'interrupted') {
    return 'The console was restarted while this ran. Running it again is safe: it goes on from the first unfinished step.';
  }
  if (state === 'cancelled')
    return 'This was cancelled. Running it again goes on from the first unfinished step.';
  return null;
}
