import { safeJson } from '@homeport/contract/fields/safe-json';
import { z } from 'zod';

// JSON-RPC 2.0 (https://www.jsonrpc.org/specification), as the Model Context Protocol uses it.

export const idShape = z.union([z.string().max(200), z.number()]);
export type Id = z.output<typeof idShape>;

/** What a client says. Only the members that decide where a message goes. */
export const messageShape = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: idShape.optional(),
  method: z.string().max(200).optional(),
  params: z.looseObject({}).optional(),
});
export type Message = z.output<typeof messageShape>;

/** An answer to a request. A console asks a client nothing, so everything else that it says is no answer. */
export const answerShape = z.union([
  z.looseObject({ jsonrpc: z.literal('2.0'), id: idShape, result: z.looseObject({}) }),
  z.looseObject({
    jsonrpc: z.literal('2.0'),
    id: idShape.nullish(),
    error: z.looseObject({ code: z.number(), message: z.string() }),
  }),
]);
export type Answer = z.output<typeof answerShape>;

export const rpcErrors = { parse: -32_700, request: -32_600, internal: -32_603 } as const;

export const failure = (id: Id | null, code: number, message: string): object => ({
  ...{ jsonrpc: '2.0', id, error: { code, message } },
});

/** A message as one line. Hidden characters are spelled out, so no text of the console breaks the line or is obeyed by a terminal. */
export const asLine = (message: object): string => `${safeJson(JSON.stringify(message))}\n`;
