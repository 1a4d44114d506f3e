import { type EditServer, type Server, serverSchema } from '@homeport/contract/servers/schema';
import { isProblem } from '../../../data/api-problem.ts';

export type ServerChanges = Omit<EditServer, 'version'>;

/**
 * The server's present state when the console refused an edit because somebody else was faster. null for
 * other failures.
 */
export function changedElsewhere(error: unknown): Server | null {
  if (!isProblem(error, 'stale_edit')) return null;
  return serverSchema.safeParse(error.problem.current).data ?? null;
}

/** Whether a change made elsewhere touches the same values as the changes made here. */
export function collides(before: Server, now: Server, changes: ServerChanges): boolean {
  const fields = Object.keys(changes) as (keyof ServerChanges)[];
  return fields.some((field) => before[field] !== now[field]);
}
