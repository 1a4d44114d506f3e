import type { ScheduleInput, TargetCheck } from '@homeport/contract/backups/schema';
import { type Command, failureOf, homeport, type Outcome, schedules, serviceName } from '@homeport/dokku';
import { ProblemError, wrongField } from '../../http/problem.ts';
import type { DatabaseRow } from '../../records/database-record.ts';
import { failureSentence } from '../../remote/failure-sentence.ts';
import { type CommandRecord, type Run, tailOf } from '../../remote/run-command.ts';

type Service = Pick<DatabaseRow, 'type' | 'longname'>;

/** The S3 client tries for this long at most before it gives up on an address. */
const checkDeadlineMs = 3 * 60_000;

/** Null: the server has no plugin that knows schedules. */
export async function readSchedule(run: Run, of: Service): Promise<schedules.ReportedSchedule | null> {
  const ran = await ask(run, schedules.read(of.type, serviceName(of.longname)));
  if (homeport.isAbsent(ran)) return null;
  if (ran.exitCode !== 0) throw refusedSchedule(ran);
  return schedules.readSchedule(ran);
}

/** Replaces the schedule, and returns what the server keeps now. The secrets go over stdin. */
export async function writeSchedule(
  run: Run,
  of: Service,
  input: ScheduleInput,
): Promise<schedules.ReportedSchedule> {
  const ran = await ask(run, schedules.write(of.type, serviceName(of.longname), input));
  if (ran.exitCode !== 0) throw refusedSchedule(ran);
  return schedules.readSchedule(ran);
}

export async function removeSchedule(run: Run, of: Service): Promise<void> {
  const ran = await ask(run, schedules.remove(of.type, serviceName(of.longname)));
  if (ran.exitCode !== 0) throw refusedSchedule(ran);
}

export async function checkTarget(
  run: Run,
  of: Service,
  target: Extract<ScheduleInput['target'], { kind: 's3' }>,
): Promise<TargetCheck> {
  const ran = await ask(run, schedules.check(of.type, serviceName(of.longname), target), checkDeadlineMs);
  const checked = ran.exitCode === 0 ? schedules.readCheck(ran) : null;
  if (!checked) throw refusedSchedule(ran);
  return checked;
}

const ask = (run: Run, command: Command, deadlineMs = 60_000) =>
  run(command, { accept: 'any', quiet: true, deadlineMs });

/** Says why the server did not do what was asked of a schedule. */
export function refusedSchedule(ran: Outcome & { record?: CommandRecord }): ProblemError {
  if (homeport.isAbsent(ran))
    return new ProblemError(
      'conflict',
      'Homeport’s plugin on this server is missing, or does not know schedules yet.',
      { recovery: 'Install or update it on the server’s page, then try again.' },
    );
  const failure = failureOf(ran);
  if (failure?.code === 'keys_missing')
    return wrongField(
      'target.keys',
      'The server keeps no access key and secret for this database. Enter both.',
    );
  const sentence = failure ? failureSentence(failure) : 'The server did not do this.';
  return new ProblemError(failure?.code === 'client_missing' ? 'conflict' : 'remote_failed', sentence, {
    ...(failure?.code === 'client_missing'
      ? { recovery: 'Install rclone with the button beside the S3 address, then try again.' }
      : {}),
    ...(ran.record
      ? { remote: { ...ran.record, outputTail: tailOf({ stdout: '', stderr: ran.stderr }) } }
      : {}),
  });
}
