import { z } from 'zod';
import { trimmedText } from '../fields/bounded-text.ts';
import { epochMsSchema, idSchema } from '../fields/schema.ts';
import type { RouteTable } from '../route.ts';
import { keptBackups, recipientCharacters } from './facts.ts';

/** What runs here, for the owner: what a report of a fault names, and what an upgrade changes. */
export const consoleFactsSchema = z
  .object({
    version: z.string(),
    /** Of the sources; null: not known. */
    commit: z.string().nullable(),
    /** When this process started. */
    startedAt: epochMsSchema,
    node: z.string(),
    postgres: z.object({
      version: z.string(),
      startedAt: epochMsSchema,
      /** The console brings and runs it. False: it is the operator's, at DATABASE_URL. */
      embedded: z.boolean(),
      /** The folder of its programs, as HOMEPORT_POSTGRES names it; null: Homeport brings them, or the server is the operator's. */
      programs: z.string().nullable(),
      /** Data folders of an older major version from before a move: the way back. */
      kept: z.array(
        z.object({
          folder: z.string(),
          major: z.number().int(),
          /** Null where the folder cannot be read. */
          bytes: z.number().nullable(),
          /** When the console removes it, if it runs every day; null: never, because somebody else put it there. */
          goesAt: epochMsSchema.nullable(),
        }),
      ),
    }),
    data: z.object({
      bytes: z.number(),
      /** The number of the last step of the schema, and when it ran here. */
      schema: z.number().int(),
      schemaAt: epochMsSchema,
    }),
    /** The disk of the folder of backups, on the machine that answers; null where it cannot be read. */
    disk: z.object({ bytes: z.number(), freeBytes: z.number() }).nullable(),
  })
  .meta({ id: 'ConsoleFacts' });
export type ConsoleFacts = z.output<typeof consoleFactsSchema>;

/** One backup of the console itself, in the folder of the machine that made it. */
export const consoleBackupSchema = z
  .object({
    id: idSchema,
    startedBy: z.enum(['owner', 'schedule']),
    state: z.enum(['running', 'done', 'failed']),
    /** For the recipient of its time. False: whoever has the file reads everything. */
    encrypted: z.boolean(),
    file: z.string(),
    /** False: another machine of this console made the file, or somebody removed it. */
    isHere: z.boolean(),
    startedAt: epochMsSchema,
    endedAt: epochMsSchema.nullable(),
    /** Null until it is done. */
    rows: z.number().nullable(),
    bytes: z.number().nullable(),
    /** Why it failed, in words for the owner. */
    failure: z.string().nullable(),
    /** When its file was last read again and compared; null: never. */
    checkedAt: epochMsSchema.nullable(),
    /** What that found. */
    isIntact: z.boolean().nullable(),
    /** What a restore of its file into a throw-away PostgreSQL showed; null: it was not tried. One backup a week is. */
    proof: z
      .object({
        state: z.enum(['proven', 'failed', 'skipped']),
        at: epochMsSchema,
        /** Why it failed, or could not be tried, in words for the owner. */
        note: z.string().nullable(),
      })
      .nullable(),
    /** Its copy by rclone, away from the machine; null: none was asked for. */
    copy: z
      .object({
        state: z.enum(['copying', 'copied', 'failed']),
        /** The operator's remote and folder, at that time. */
        to: z.string(),
        /** Null while it is being copied. */
        at: epochMsSchema.nullable(),
        /** Why it failed, in words for the owner. */
        note: z.string().nullable(),
        /** How many tries failed. */
        tries: z.number().int(),
        /** When it is tried again; null: it is not. */
        againAt: epochMsSchema.nullable(),
      })
      .nullable(),
  })
  .meta({ id: 'ConsoleBackup' });
export type ConsoleBackup = z.output<typeof consoleBackupSchema>;

export const backupPlanSchema = z
  .object({
    /** The public key of age for which backups are encrypted; null: none yet, so the schedule makes none. */
    recipient: z.string().nullable(),
    /** Minutes after midnight UTC; null: no schedule. */
    dailyAt: z.number().int().min(0).max(1_439).nullable(),
    /** How many of the newest backups stay. */
    keep: z.number().int(),
    /** When the schedule makes the next one. */
    dueAt: epochMsSchema.nullable(),
  })
  .meta({ id: 'BackupPlan' });
export type BackupPlan = z.output<typeof backupPlanSchema>;

export const consoleBackupsSchema = z
  .object({
    /** Where the files are, on the machine that answers. */
    folder: z.string(),
    /** Where encrypted ones are copied to by rclone; null: nowhere. */
    copiedTo: z.string().nullable(),
    plan: backupPlanSchema,
    /** The newest first. */
    backups: z.array(consoleBackupSchema),
  })
  .meta({ id: 'ConsoleBackups' });
export type ConsoleBackups = z.output<typeof consoleBackupsSchema>;

const recipientSchema = trimmedText(recipientCharacters).regex(
  /^age1[02-9ac-hj-np-z]{58}$/,
  'A public key of age begins with age1 and has 62 characters.',
);

const paramsSchema = z.object({ id: idSchema });

export const consoleRoutes = {
  'GET /api/console': {
    access: 'owner',
    summary: 'What this console is: its version, its PostgreSQL and its data',
    reply: consoleFactsSchema,
  },
  'GET /api/console/backups': {
    access: 'owner',
    summary: 'The backups of the console itself, and how they are made',
    reply: consoleBackupsSchema,
  },
  'POST /api/console/backups': {
    access: 'owner',
    confirm: true,
    summary: 'Begin a backup of the console, for the recipient or, by word, in clear; one at a time',
    body: z.discriminatedUnion('encrypted', [
      z.strictObject({ encrypted: z.literal(true) }),
      /** The owner types the word: whoever has such a file reads everything. */
      z.strictObject({ encrypted: z.literal(false), word: z.literal('plain') }),
    ]),
    reply: consoleBackupSchema,
    status: 201,
  },
  'PUT /api/console/backups/plan': {
    access: 'owner',
    confirm: true,
    summary: 'Set for whom backups are encrypted, when one is made daily, and how many stay',
    body: z.strictObject({
      recipient: recipientSchema.nullable(),
      dailyAt: backupPlanSchema.shape.dailyAt,
      keep: z.number().int().min(keptBackups.least).max(keptBackups.most),
    }),
    reply: backupPlanSchema,
  },
  'POST /api/console/backups/:id/check': {
    access: 'owner',
    summary: 'Read a backup’s file and its copy to their end and compare them with what was written',
    params: paramsSchema,
    reply: consoleBackupSchema,
  },
  'POST /api/console/backups/:id/fetch': {
    access: 'owner',
    confirm: true,
    summary: 'Note that a backup leaves the console; its file is fetched next',
    params: paramsSchema,
    reply: z.object({ noted: z.literal(true) }),
  },
  'GET /api/console/backups/:id/file': {
    access: 'owner',
    confirm: true,
    summary: 'The file of a backup',
    params: paramsSchema,
    reply: z.never(),
    kind: 'download',
  },
} as const satisfies RouteTable;
