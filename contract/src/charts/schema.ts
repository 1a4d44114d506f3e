import { z } from 'zod';
import { boundedText } from '../fields/bounded-text.ts';
import { epochMsSchema, idSchema, storableText } from '../fields/schema.ts';
import { operationStates } from '../operations/facts.ts';
import { operationKinds } from '../operations/kinds.ts';
import type { RouteTable } from '../route.ts';
import { chartMeasures, chartSources, chartSpanSeconds } from './facts.ts';

const value = z.number().nullable();

export const chartSeriesSchema = z
  .object({
    from: epochMsSchema,
    to: epochMsSchema,
    source: z.enum(chartSources),
    /** How far apart two neighbouring points are. Points further apart have a gap between them. */
    stepMs: z.number().int(),
    /** When each point was measured, or the beginning of its step (UTC). Time without a measurement has no point. */
    times: z.array(epochMsSchema),
    average: z.array(value),
    /** The lowest and highest single value of each point. Null where it is not kept: for traffic. */
    lowest: z.array(value),
    highest: z.array(value),
  })
  .meta({ id: 'ChartSeries' });
export type ChartSeries = z.output<typeof chartSeriesSchema>;

/** The range ends at `to`, or now. */
const range = {
  spanSeconds: z.coerce
    .number()
    .int()
    .min(chartSpanSeconds.least)
    .max(chartSpanSeconds.most)
    .default(chartSpanSeconds.byDefault),
  to: boundedText(15)
    .regex(/^[0-9]{1,15}$/)
    .transform(Number)
    .optional(),
};

/** The measures and their units: a share of 100 is a percentage, traffic is bytes per second, pings and answers are milliseconds. */
export const chartRoutes = {
  'GET /monitor/dump/:monitorId/series': {
    access: 'signed-in',
    summary: 'One measure of a server over any range from an hour to a year, with at most 1,000 points',
    params: z.object({ monitorId: storableText(64).min(1) }),
    query: z.object({ measure: z.enum(chartMeasures.server).default('cpu'), ...range }),
    reply: chartSeriesSchema,
  },
  'GET /monitor/apps/:monitorId/series': {
    access: 'signed-in',
    summary: 'One measure of an app over any range from an hour to a year, with at most 1,000 points',
    params: z.object({ monitorId: storableText(64).min(1) }),
    query: z.object({ measure: z.enum(chartMeasures.app).default('memory'), ...range }),
    reply: chartSeriesSchema,
  },
  'GET /monitor/databases/:id/series': {
    access: 'signed-in',
    summary: 'One measure of a database over any range from an hour to a year, with at most 1,000 points',
    params: z.object({ id: idSchema }),
    query: z.object({ measure: z.enum(chartMeasures.database).default('memory'), ...range }),
    reply: chartSeriesSchema,
  },
} as const satisfies RouteTable;

export const chartMarkSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('work'),
    /** The operation, whose log says more. */
    id: idSchema,
    work: z.enum(operationKinds),
    title: z.string(),
    state: z.enum(operationStates),
    at: epochMsSchema,
    endedAt: epochMsSchema.nullable(),
  }),
  z.object({
    kind: z.literal('incident'),
    id: idSchema,
    appId: idSchema,
    app: z.string(),
    text: z.string(),
    at: epochMsSchema,
    /** Null while the app is down. */
    endedAt: epochMsSchema.nullable(),
  }),
]);
export type ChartMark = z.output<typeof chartMarkSchema>;

const marks = z
  .object({
    /** Oldest first. */
    marks: z.array(chartMarkSchema),
    /** Older marks of the range that are left out. */
    more: z.number().int(),
  })
  .meta({ id: 'ChartMarks' });
export type ChartMarks = z.output<typeof marks>;

export const markRoutes = {
  'GET /api/servers/:id/marks': {
    access: 'signed-in',
    summary: 'What the console did on a server in a range of time, and the incidents of its apps',
    params: z.object({ id: idSchema }),
    query: z.object(range),
    reply: marks,
  },
  'GET /api/apps/:id/marks': {
    access: 'signed-in',
    summary: 'What the console did on an app in a range of time, and its incidents',
    params: z.object({ id: idSchema }),
    query: z.object(range),
    reply: marks,
  },
  'GET /api/databases/:id/marks': {
    access: 'signed-in',
    summary: 'What the console did on a database in a range of time',
    params: z.object({ id: idSchema }),
    query: z.object(range),
    reply: marks,
  },
} as const satisfies RouteTable;
