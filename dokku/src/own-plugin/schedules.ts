import {
  backupClient,
  backupFailures,
  backupStates,
  backupTargets,
  restoreTests,
} from '@homeport/contract/backups/facts';
import type {
  BackupRun,
  BackupSchedule,
  ScheduleInput,
  TargetCheck,
} from '@homeport/contract/backups/schema';
import type { DatabaseTypeName } from '@homeport/contract/databases/types/database-types';
import { z } from 'zod';
import { type Command, dokku, hostCommand, type Outcome, withStdin } from '../command.ts';
import type { ServiceName } from '../names/service-name.ts';
import { readTold } from './lines.ts';

// Scheduled backups, which the server makes by itself: Homeport's plugin keeps the schedules and gives Dokku their lines of the
// crontab (`dokku/plugin/schedule-functions`).

/** What a server tells of a schedule. */
export type ReportedSchedule = {
  readonly schedule: BackupSchedule | null;
  readonly timeZone: string;
  readonly inCrontab: boolean;
  /** The server has rclone. */
  readonly client: boolean;
  /** In the order in which they changed; a run that ended stands here once. */
  readonly runs: readonly BackupRun[];
};

/** The schedule without its secrets, and its last runs. Ends with 1 for a missing service (`service_missing`). */
export function read(type: DatabaseTypeName, name: ServiceName): Command {
  return dokku('homeport:schedule', type, name);
}

/** Replaces the schedule as a whole. The secrets stand on stdin alone; without new ones the kept ones stay. */
export function write(type: DatabaseTypeName, name: ServiceName, input: ScheduleInput): Command {
  return withStdin(dokku('homeport:schedule-write', type, name), linesFor(input));
}

/** Removes the schedule and its secrets, also of a service that is gone. */
export function remove(type: DatabaseTypeName, name: ServiceName): Command {
  return dokku('homeport:schedule-delete', type, name);
}

/** Takes the lines of all schedules out of the crontab. The schedules stay; Dokku's next crontab has their lines again. */
export function withdraw(): Command {
  return dokku('homeport:schedules-withdraw');
}

/** Writes a small object at the S3 address and removes it. Keeps nothing. */
export function check(
  type: DatabaseTypeName,
  name: ServiceName,
  target: Extract<ScheduleInput['target'], { kind: 's3' }>,
): Command {
  const any = {
    cron: '0 0 * * *',
    paused: true,
    keepCount: 1,
    keepDays: null,
    restoreTest: 'never',
  } as const;
  return withStdin(dokku('homeport:target-check', type, name), linesFor({ ...any, target }));
}

/** Makes the scheduled backup now, and tells how it went. */
export function run(type: DatabaseTypeName, name: ServiceName): Command {
  return dokku('homeport:backup', type, name);
}

/** Installs the client that copies, from the distribution's own packages. Only the sandbox needs no root for it. */
export function installClient({ needsRoot }: { needsRoot: boolean }): readonly [Command, Command] {
  const apt = (...words: string[]) =>
    hostCommand(['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...words], { needsRoot });
  return [
    apt('update', '--quiet=2'),
    apt('install', '--yes', '--quiet=2', '--no-install-recommends', backupClient),
  ];
}

/** One `<field> <value>` a line. @throws RangeError for a value with a line end, which would be another field */
function linesFor({ cron, paused, keepCount, keepDays, restoreTest, target }: ScheduleInput): string {
  const fields: [string, string][] = [
    ['cron', cron.split(' ').filter(Boolean).join(' ')],
    ['paused', paused ? 'yes' : 'no'],
    ['count', String(keepCount)],
    ['days', String(keepDays ?? 0)],
    ['restore_test', restoreTest],
    ['target', target.kind],
  ];
  if (target.kind === 's3') {
    const { endpoint, region, bucket, prefix, keys } = target;
    fields.push(['endpoint', endpoint], ['region', region], ['bucket', bucket], ['prefix', prefix]);
    if (keys) fields.push(['access', keys.accessKey], ['secret', keys.secret]);
  }
  if (fields.some(([, value]) => /[\r\n]/.test(value))) throw new RangeError('A value has a line end.');
  return fields.map(([field, value]) => `${field} ${value}\n`).join('');
}

const serverSchema = z.object({
  server: z.object({ timeZone: z.string().max(64), crontab: z.boolean(), client: z.boolean() }),
});
const scheduleSchema = z.object({
  schedule: z.object({
    cron: z.string(),
    paused: z.boolean(),
    count: z.number().int(),
    days: z.number().int(),
    restoreTest: z.enum(restoreTests).catch('never'),
    sinceSeconds: z.number().int().nonnegative(),
    s3: z
      .object({ endpoint: z.string(), region: z.string(), bucket: z.string(), prefix: z.string() })
      .optional(),
  }),
});
const runSchema = z.object({
  told: z.object({
    run: z.uuid(),
    state: z.enum(backupStates),
    at: z.number().int().nonnegative(),
    took: z.number().int(),
    bytes: z.number().int().nonnegative().nullable(),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .nullable(),
    target: z.enum(backupTargets),
    reason: z.enum(backupFailures).nullable(),
    text: z.string().max(400).nullable(),
  }),
});
const lineSchema = z.union([serverSchema, scheduleSchema, runSchema]);

/** @throws UnreadableOutputError */
export function readSchedule(outcome: Outcome): ReportedSchedule {
  const runs = new Map<string, BackupRun>();
  let server: z.output<typeof serverSchema>['server'] = { timeZone: 'UTC', crontab: false, client: false };
  let told: z.output<typeof scheduleSchema>['schedule'] | null = null;
  for (const value of readTold('homeport:schedule', outcome.stdout).values) {
    const line = lineSchema.safeParse(value);
    if (!line.success) continue;
    if ('server' in line.data) server = line.data.server;
    else if ('schedule' in line.data) told = line.data.schedule;
    else takeRun(runs, line.data.told);
  }
  const { timeZone, crontab, client } = server;
  return {
    schedule: told && scheduleOf(told, timeZone),
    timeZone,
    inCrontab: crontab,
    client,
    runs: [...runs.values()],
  };
}

function takeRun(runs: Map<string, BackupRun>, told: z.output<typeof runSchema>['told']): void {
  const { run: id, at, took, reason, ...same } = told;
  runs.delete(id);
  runs.set(id, { id, beganAt: at * 1_000, durationSeconds: Math.max(0, took), failure: reason, ...same });
}

function scheduleOf(told: z.output<typeof scheduleSchema>['schedule'], timeZone: string): BackupSchedule {
  const { count, days, sinceSeconds, s3, ...same } = told;
  return {
    ...same,
    keepCount: count,
    keepDays: days === 0 ? null : days,
    target: s3 ? { kind: 's3', ...s3 } : { kind: 'server' },
    timeZone,
    since: sinceSeconds * 1_000,
  };
}

const checkedSchema = z.object({
  checked: z.object({ refused: z.enum(['write', 'remove']).nullable(), text: z.string().nullable() }),
});

/** Null where the answer says nothing. @throws UnreadableOutputError */
export function readCheck(outcome: Outcome): TargetCheck | null {
  for (const value of readTold('homeport:target-check', outcome.stdout).values) {
    const line = checkedSchema.safeParse(value);
    if (!line.success) continue;
    const { refused, text } = line.data.checked;
    return refused === null ? { kind: 'works' } : { kind: 'refused', step: refused, text: text ?? '' };
  }
  return null;
}
