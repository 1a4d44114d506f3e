import { z } from 'zod';
import { boundedText } from '../fields/bounded-text.ts';
import { epochMsSchema, idSchema } from '../fields/schema.ts';
import { operationSchema } from '../operations/schema.ts';
import type { RouteTable } from '../route.ts';
import { cronCharacters, readCron } from './cron.ts';
import {
  backupFailures,
  backupStates,
  backupTargets,
  keptBackupDays,
  keptBackups,
  restoreTests,
  type S3Field,
  s3Fields,
} from './facts.ts';

const cronSchema = boundedText(
  cronCharacters,
  `A schedule has at most ${cronCharacters} characters, such as 17 3 * * *.`,
).superRefine((text, context) => {
  const read = readCron(text);
  if (read.kind === 'wrong') context.addIssue({ code: 'custom', message: read.message });
});

function s3Text(field: S3Field) {
  const { characters, pattern, wrong } = s3Fields[field];
  return boundedText(characters, wrong).regex(pattern, wrong);
}

/** Where copies go, without the secrets. */
const s3AddressSchema = z.strictObject({
  kind: z.literal('s3'),
  endpoint: s3Text('endpoint'),
  region: s3Text('region'),
  bucket: s3Text('bucket'),
  prefix: s3Text('prefix'),
});
export type S3Address = z.output<typeof s3AddressSchema>;

const targetSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('server') }),
  s3AddressSchema,
]);

/** They pass through to the server and are kept there alone. Null: the ones that the server has stay. */
const keysSchema = z.strictObject({ accessKey: s3Text('accessKey'), secret: s3Text('secret') }).nullable();

const wrongCount = `Keep between ${keptBackups.least} and ${keptBackups.most} backups.`;
const wrongDays = `Keep backups for between 1 and ${keptBackupDays} days.`;

const scheduleFields = {
  /** Five fields of crontab(5), by the clock of the server. */
  cron: cronSchema,
  paused: z.boolean(),
  /** Dumps on the server, and copies at the S3 address, that stay. */
  keepCount: z.number().int().min(keptBackups.least, wrongCount).max(keptBackups.most, wrongCount),
  /** Older ones go, but for the newest. Null: age removes none. */
  keepDays: z.number().int().min(1, wrongDays).max(keptBackupDays, wrongDays).nullable(),
  restoreTest: z.enum(restoreTests),
};

export const scheduleInputSchema = z.strictObject({
  ...scheduleFields,
  target: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('server') }),
    s3AddressSchema.extend({ keys: keysSchema }),
  ]),
});
export type ScheduleInput = z.output<typeof scheduleInputSchema>;

export const scheduleSchema = z
  .object({
    ...scheduleFields,
    target: targetSchema,
    /** The server's time zone: an IANA name, or an offset such as `+02:00`. */
    timeZone: z.string(),
    /** When the schedule was written, by the server's clock. Runs before it are not missed. */
    since: epochMsSchema,
  })
  .meta({ id: 'BackupSchedule' });
export type BackupSchedule = z.output<typeof scheduleSchema>;

/** One run of a schedule, as its server told it. */
export const backupRunSchema = z
  .object({
    /** Also the id of its dump. */
    id: idSchema,
    state: z.enum(backupStates),
    /** By the server's clock. */
    beganAt: epochMsSchema,
    durationSeconds: z.number(),
    /** Of the dump; null: none was made. */
    bytes: z.number().nullable(),
    sha256: z.string().nullable(),
    target: z.enum(backupTargets),
    failure: z.enum(backupFailures).nullable(),
    /** What the server said of the failure, without secrets. */
    text: z.string().nullable(),
  })
  .meta({ id: 'BackupRun' });
export type BackupRun = z.output<typeof backupRunSchema>;

/** What the console knows without asking the server. */
export const backupsSchema = z
  .object({
    schedule: scheduleSchema.nullable(),
    /** The console was ended while it wrote the schedule, or has no answer: only the server knows what holds. */
    unsure: z.boolean(),
    /** Newest first. */
    runs: z.array(backupRunSchema),
    /** When the run was due that the server did not make; null: none is missing. */
    missedAt: epochMsSchema.nullable(),
  })
  .meta({ id: 'Backups' });
export type Backups = z.output<typeof backupsSchema>;

/** What the server says. `plugin_missing`: it has no plugin of Homeport's, or one that does not know schedules yet. */
export const serverScheduleSchema = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('told'),
      schedule: scheduleSchema.nullable(),
      timeZone: z.string(),
      /** Whether the crontab of the user dokku has the schedule's line. */
      inCrontab: z.boolean(),
      /** The server has the client that copies. */
      client: z.boolean(),
      /** The login that may install the client; null: none of the server's accounts can become root. */
      installer: z.string().nullable(),
      /** The console has recorded the same. Ask for `refresh` if not. */
      recorded: z.boolean(),
    }),
    z.object({ kind: z.literal('plugin_missing') }),
  ])
  .meta({ id: 'ServerSchedule' });
export type ServerSchedule = z.output<typeof serverScheduleSchema>;

export const targetCheckSchema = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('works') }),
    /** `text`: the service's own reason. */
    z.object({ kind: z.literal('refused'), step: z.enum(['write', 'remove']), text: z.string() }),
  ])
  .meta({ id: 'TargetCheck' });
export type TargetCheck = z.output<typeof targetCheckSchema>;

const byId = z.object({ id: idSchema });
const operationReply = { params: byId, reply: operationSchema, status: 202 } as const;

export const backupRoutes = {
  'GET /api/databases/:id/backups': {
    access: 'signed-in',
    summary: 'The schedule of a database’s backups and its last runs, as the console knows them',
    params: byId,
    reply: backupsSchema,
  },
  'GET /api/databases/:id/schedule': {
    access: 'signed-in',
    summary: 'The schedule of a database’s backups, read from its server',
    params: byId,
    reply: serverScheduleSchema,
  },
  'POST /api/databases/:id/schedule/refresh': {
    access: 'signed-in',
    summary: 'Read the schedule and its runs from the server, and record them',
    params: byId,
    reply: backupsSchema,
  },
  'PUT /api/databases/:id/schedule': {
    access: 'signed-in',
    summary: 'Write the schedule on the server; secrets pass through and are kept there alone',
    params: byId,
    body: scheduleInputSchema,
    reply: backupsSchema,
  },
  'DELETE /api/databases/:id/schedule': {
    access: 'signed-in',
    summary: 'Remove the schedule and its secrets from the server; dumps and copies stay',
    params: byId,
    reply: backupsSchema,
  },
  'POST /api/databases/:id/schedule/check': {
    access: 'signed-in',
    summary: 'Write a small object at an S3 address from the server, and remove it',
    params: byId,
    body: z.strictObject({ target: s3AddressSchema.extend({ keys: keysSchema }) }),
    reply: targetCheckSchema,
  },
  'POST /api/databases/:id/schedule/run': {
    access: 'signed-in',
    summary: 'Make the scheduled backup now, as an operation',
    ...operationReply,
  },
  'POST /api/databases/:id/backup-client': {
    access: 'signed-in',
    summary: 'Install rclone from the distribution on the database’s server, as root',
    ...operationReply,
  },
} as const satisfies RouteTable;
