import { z } from 'zod';
import { type Command, dokku, type Outcome } from '../command.ts';
import type { AppName } from '../names/app-name.ts';
import { UnreadableOutputError } from '../output.ts';
import { readTold, those } from './lines.ts';

// The containers that failed deploys of an app left (`dokku/plugin/subcommands/containers-delete`).

/** A container's whole id. */
export const containerIdSchema = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .brand<'ContainerId'>();
export type ContainerId = z.output<typeof containerIdSchema>;

/**
 * What became of a container. `gone`: Docker lists it among the app's no more. `used`: it serves, or has another name. `new`: a deploy
 * may still take it into use. `unknown`: Docker did not answer. `failed`: Docker refused.
 */
const containerEnds = ['removed', 'gone', 'used', 'new', 'unknown', 'failed'] as const;
export type ContainerEnd = (typeof containerEnds)[number];

/** Removes them. The server checks each in that moment: what is no container that a failed deploy of the app left stays. */
export function remove(app: AppName, ids: readonly ContainerId[]): Command {
  return dokku('homeport:containers-delete', app, ...ids);
}

const endSchema = z.object({
  leftContainer: z.object({ id: containerIdSchema, end: z.enum(containerEnds) }),
});

/** What became of each. @throws UnreadableOutputError for an answer that leaves one out */
export function readRemoved(
  outcome: Outcome,
  ids: readonly ContainerId[],
): { id: ContainerId; end: ContainerEnd }[] {
  const name = 'homeport:containers-delete';
  const told = those(readTold(name, outcome.stdout).values, endSchema);
  const ends = new Map(told.map(({ leftContainer: { id, end } }) => [id, end]));
  return ids.map((id) => {
    const end = ends.get(id);
    if (end === undefined) throw new UnreadableOutputError(name, outcome.stdout);
    return { id, end };
  });
}
