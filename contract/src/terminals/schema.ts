import { z } from 'zod';
import { boundedText } from '../fields/bounded-text.ts';
import { epochMsSchema, idSchema } from '../fields/schema.ts';
import type { RouteTable } from '../route.ts';
import { terminalEnds, terminalInputBytes, terminalOutputBytes, terminalSizes } from './facts.ts';

const { columns, rows } = terminalSizes;
const columnsSchema = z.coerce.number().int().min(columns.least).max(columns.most);
const rowsSchema = z.coerce.number().int().min(rows.least).max(rows.most);

/** Bytes in base64: keystrokes and screens are no text that JSON could carry. */
const bytesSchema = (most: number) => z.base64().max(4 * Math.ceil(most / 3));

/** A process type and a number, as Dokku names the containers of an app: `web.1`. */
const processSchema = boundedText(100).regex(
  /^[A-Za-z0-9][A-Za-z0-9_-]*\.[1-9]\d{0,2}$/,
  'Name a container.',
);

/** A message of the page. */
export const terminalMessageSchema = z
  .discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('input'),
      data: bytesSchema(terminalInputBytes),
      /** Whether some of it is of the person's keys or of a paste. false: the screen answered a program by itself. */
      byPerson: z.boolean().optional(),
    }),
    z.strictObject({ type: z.literal('resize'), columns: columnsSchema, rows: rowsSchema }),
    /** The page has drawn so many bytes of the output. */
    z.strictObject({
      type: z.literal('taken'),
      bytes: z
        .number()
        .int()
        .min(1)
        .max(terminalOutputBytes * 4),
    }),
    /** The person wants another hour. */
    z.strictObject({ type: z.literal('extend') }),
  ])
  .meta({ id: 'TerminalMessage' });
export type TerminalMessage = z.output<typeof terminalMessageSchema>;

export const terminalEventSchema = z
  .discriminatedUnion('type', [
    /** The terminal takes keys. */
    z.object({
      type: z.literal('ready'),
      endsAt: epochMsSchema,
    }),
    z.object({ type: z.literal('output'), data: z.base64() }),
    /** The server has taken so many bytes of the input. */
    z.object({ type: z.literal('inputTaken'), bytes: z.number().int() }),
    /** When the terminal ends, and whether that is soon because nobody types or because its time is over. */
    z.object({ type: z.literal('time'), endsAt: epochMsSchema, soon: z.enum(['idle', 'time']).nullable() }),
    /** Work on the app has begun that replaces its containers. */
    z.object({ type: z.literal('replacing') }),
    z.object({
      type: z.literal('ended'),
      why: z.enum(terminalEnds),
      exitCode: z.number().int().nullable(),
    }),
  ])
  .meta({ id: 'TerminalEvent' });
export type TerminalEvent = z.output<typeof terminalEventSchema>;

/** The size from the first byte on. */
const sizeFields = { columns: columnsSchema.default(80), rows: rowsSchema.default(24) };
const byId = z.object({ id: idSchema });
const terminal = {
  access: 'signed-in',
  reply: terminalEventSchema,
  kind: 'exchange',
  fromCaller: terminalMessageSchema,
} as const;

export const terminalRoutes = {
  'GET /api/apps/:id/terminal': {
    ...terminal,
    summary:
      'A terminal in a running container of the app, or in a new one, if the server’s owner allowed commands and terminals there',
    params: byId,
    query: z.object({
      /** Without a name: a new container, which goes with the terminal. */
      process: processSchema.optional(),
      ...sizeFields,
    }),
  },
  'GET /api/servers/:id/terminal': {
    ...terminal,
    summary: 'A shell on the server as the account that its credential logs in as, if its owner allowed that',
    params: byId,
    query: z.object(sizeFields),
  },
} as const satisfies RouteTable;
