import { z } from 'zod';
import type { RouteTable } from './route.ts';

/** Which of the user’s records changed; the page reads the record again. */
export const changeSchema = z
  .object({
    topic: z.enum([
      'servers',
      'apps',
      'keys',
      'operations',
      'profile',
      'stats',
      'connections',
      'invitations',
      // Variables of an app on its server; the values themselves are read there.
      'environment',
    ]),
    id: z.string().nullable(),
  })
  .meta({ id: 'Change' });
export type Change = z.output<typeof changeSchema>;

export const liveRoutes = {
  'GET /api/events': {
    access: 'signed-in',
    summary: 'What changes of the user’s things, as it happens',
    reply: changeSchema,
    kind: 'stream',
  },
} as const satisfies RouteTable;
