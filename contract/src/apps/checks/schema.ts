import { z } from 'zod';
import { idSchema } from '../../fields/schema.ts';
import { operationSchema } from '../../operations/schema.ts';
import type { RouteTable } from '../../route.ts';
import { isTask, typesAtOnce } from '../processes/facts.ts';
import { processTypeSchema } from '../processes/schema.ts';
import {
  checkModes,
  isRetireTime,
  ownCheckFailures,
  ownCheckKinds,
  ownCheckUses,
  retireTimeRefused,
} from './facts.ts';

/** A check that the app.json of the last deploy has for a type of process, with Dokku’s own numbers where it names none. */
export const ownCheckSchema = z
  .object({
    name: z.string().nullable(),
    kind: z.enum(ownCheckKinds),
    use: z.enum(ownCheckUses),
    /** The path, or the words of the command; null: another kind. */
    asks: z.string().nullable(),
    /** What the answer to a path has to hold. */
    content: z.string().nullable(),
    /** A path is asked for over HTTPS. */
    https: z.boolean(),
    /** A path is asked for with headers of app.json, which are not told. */
    headers: z.boolean(),
    /** Null: the port that the proxy asks; 5000 for another type than `web`. */
    port: z.number().int().nullable(),
    /** How long a container has to stay up; null: another kind. */
    uptimeSeconds: z.number().int().nullable(),
    delaySeconds: z.number().int(),
    attempts: z.number().int(),
    waitSeconds: z.number().int(),
    timeoutSeconds: z.number().int(),
    /** The deploy goes on where the check fails. */
    warns: z.boolean(),
    onFailure: z.enum(ownCheckFailures),
  })
  .meta({ id: 'OwnCheck' });
export type OwnCheck = z.output<typeof ownCheckSchema>;

export const appChecksSchema = z
  .object({
    types: z.array(
      z.object({
        type: z.string(),
        mode: z.enum(checkModes),
        /** Those that count for a deploy first. */
        own: z.array(ownCheckSchema),
        /** How many checks of the type were left out, because there are too many. */
        more: z.number().int(),
      }),
    ),
    /** The app.json of the last deploy. `unreadable`: too long, too many checks, or no app.json that Dokku takes. `unknown`: nobody told of it. */
    manifest: z.enum(['read', 'none', 'unreadable', 'unknown']),
    /** There is a CHECKS file, from which Dokku takes the checks of `web` in place of app.json. */
    checksFile: z.boolean(),
    /** How long after a switch old containers are stopped that have not ended yet; null: Dokku holds another text than a number. */
    retireSeconds: z.number().int().nullable(),
  })
  .meta({ id: 'AppChecks' });
export type AppChecks = z.output<typeof appChecksSchema>;

/** `from` is what the page showed. If the server holds something else by now, nothing is changed. */
export const checkChangeSchema = z
  .strictObject({
    modes: z
      .array(
        z.strictObject({
          type: processTypeSchema.refine(
            (type) => !isTask(type),
            'release is a task of each deploy, and no process.',
          ),
          from: z.enum(checkModes),
          to: z.enum(checkModes),
        }),
      )
      .max(typesAtOnce, `Change at most ${typesAtOnce} types at once.`)
      .refine(
        (changes) => new Set(changes.map(({ type }) => type)).size === changes.length,
        'Name each type once.',
      ),
    retireSeconds: z
      .strictObject({
        from: z.int().min(0).max(999_999_999).nullable(),
        to: z.number().refine(isRetireTime, retireTimeRefused),
      })
      .optional(),
  })
  .refine(
    ({ modes, retireSeconds }) => modes.length > 0 || retireSeconds !== undefined,
    'Change the checks of a process, or the time of old containers.',
  );

const byId = z.object({ id: idSchema });

export const checkRoutes = {
  'GET /api/apps/:id/checks': {
    access: 'signed-in',
    summary: 'Whether Dokku checks new containers before visitors reach them, and when it stops the old ones',
    params: byId,
    reply: appChecksSchema,
  },
  'POST /api/apps/:id/checks': {
    access: 'signed-in',
    summary:
      'Check, skip or disable the checks of process types, and set when old containers are stopped; holds from the next deploy on',
    params: byId,
    body: checkChangeSchema,
    reply: operationSchema,
    status: 202,
  },
} as const satisfies RouteTable;
