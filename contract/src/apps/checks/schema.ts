import { z } from 'zod';
import { idSchema } from '../../fields/schema.ts';
import { operationSchema } from '../../operations/schema.ts';
import type { RouteTable } from '../../route.ts';
import { isTask, typesAtOnce } from '../processes/facts.ts';
import { processTypeSchema } from '../processes/schema.ts';
import { checkModes, isRetireTime, retireTimeRefused } from './facts.ts';

export const appChecksSchema = z
  .object({
    types: z.array(z.object({ type: z.string(), mode: z.enum(checkModes) })),
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
