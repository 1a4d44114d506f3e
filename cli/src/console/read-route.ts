import type { ReplyOf } from '@homeport/contract/route';
import type { Routes as ApiRoutes } from '@homeport/contract/routes';
import type { monitorRoutes } from '@homeport/contract/stats/schema';
import type { z } from 'zod';
import { CommandProblem } from '../command-problem.ts';
import { exitCodes } from '../exit-codes.ts';
import { askConsole, type Console, noSense } from './ask-console.ts';

type Routes = ApiRoutes & typeof monitorRoutes;
type ReadKey = Extract<keyof Routes, `GET ${string}`>;

/** `S`, if it reads the answer of the route. A route that changes so that it does not breaks the compilation here. */
type Reads<K extends ReadKey, S extends z.ZodType> = ReplyOf<Routes[K]> extends z.input<S> ? S : never;

/** The part of an answer that a command shows, and the whole answer for `--json`. */
export type Read<S extends z.ZodType> = { value: z.output<S>; text: string };

/**
 * Reads a route. Members that `shape` does not name are ignored, because the console may be newer.
 *
 * @throws CommandProblem for every failure
 */
export async function readRoute<K extends ReadKey, S extends z.ZodType>(
  console: Console,
  key: K,
  shape: S & Reads<K, S>,
  { id, query = '' }: { id?: string; query?: string } = {},
): Promise<Read<S>> {
  const path = key.slice('GET '.length).replace(':id', encodeURIComponent(id ?? '')) + query;
  const text = await askConsole(console, { method: 'GET', path }).catch((error: unknown) => {
    // A list is always there. A console without the list's route is older than this program.
    if (id === undefined && error instanceof CommandProblem && error.exit === exitCodes.notFound)
      throw new CommandProblem(exitCodes.failed, 'This console is older than this command.', {
        recovery: 'Update the console, or use an older version of this program.',
      });
    throw error;
  });
  const read = shape.safeParse(JSON.parse(text));
  if (!read.success) throw noSense();
  return { value: read.data, text };
}

/** The same, or null where the token lacks the scope. */
export function readIfAllowed<T>(read: Promise<T>): Promise<T | null> {
  return read.catch((error: unknown) => {
    if (error instanceof CommandProblem && error.code === 'not_allowed') return null;
    throw error;
  });
}

/** The same for what only adds to an answer: null where it cannot be had. Stats of a token without their scope answer 401. */
export function readIfPossible<T>(read: Promise<T>): Promise<T | null> {
  return read.catch((error: unknown) => {
    if (error instanceof CommandProblem && error.exit !== exitCodes.interrupted) return null;
    throw error;
  });
}
