import { mcpLimits } from '@homeport/contract/mcp/facts';
import { z } from 'zod';
import { notFound, ProblemError } from '../http/problem.ts';
import { invalidField } from '../http/validation.ts';
import { render } from './answer.ts';

/** A record by the words that people and agents have for it. */
export const recordName = z.string().min(1).max(300);

/** What the list tools share: a part of a name, and where to go on. */
export const pageInput = {
  query: z.string().max(100).optional().describe('Only records whose name holds this text.'),
  cursor: z.string().max(100).optional().describe('nextCursor of the answer before.'),
  limit: z.number().int().min(1).max(mcpLimits.page).default(20),
};

/** Whether a name holds the text that was searched for, whatever its case. */
export const holds = (name: string, query: string | undefined): boolean =>
  query === undefined || name.toLowerCase().includes(query.toLowerCase());

/** Room that stays for what an answer has beside its list. */
const besideList = 2_000;

/** The records after the cursor that fit into one answer, and the cursor of the next ones. */
export function pageOf<R extends { id: string }>(
  records: readonly R[],
  { cursor, limit }: { cursor?: string | undefined; limit: number },
  shown: (record: R) => object,
): { items: object[]; total: number; nextCursor: string | null } {
  const at = cursor === undefined ? -1 : records.findIndex(({ id }) => id === cursor);
  if (cursor !== undefined && at < 0)
    throw invalidField('cursor', 'This cursor leads nowhere any more. List again without it.');
  const { some: items } = fitting(
    records.slice(at + 1, at + 1 + limit).map(shown),
    mcpLimits.answerCharacters - besideList,
  );
  const end = at + items.length;
  const more = items.length > 0 && end + 1 < records.length;
  return { items, total: records.length, nextCursor: more ? (records[end]?.id ?? null) : null };
}

/** The first of a list that fit into so many characters, at least one, and how many more there are. */
export function fitting<T extends object>(all: readonly T[], room: number): { some: T[]; leftOut: number } {
  let left = room;
  const end = all.findIndex((each, at) => {
    left -= render(each).length + 1;
    return left < 0 && at > 0;
  });
  return end < 0 ? { some: [...all], leftOut: 0 } : { some: all.slice(0, end), leftOut: all.length - end };
}

/**
 * The one record that a name means: an id, a name, or a name after its server's.
 *
 * @param namesOf what the record is called, the server's names apart
 * @throws ProblemError unless exactly one record has the name
 */
export function recordOf<R extends { id: string }>(
  records: readonly R[],
  name: string,
  {
    what,
    namesOf,
    serverOf,
  }: { what: string; namesOf: (record: R) => string[]; serverOf?: (record: R) => string[] },
): R {
  const found = records.filter(
    (record) =>
      record.id === name ||
      namesOf(record).some(
        (own) => own === name || serverOf?.(record).some((server) => `${server}/${own}` === name),
      ),
  );
  const [first, ...more] = found;
  if (!first) throw notFound(what);
  if (more.length === 0) return first;
  throw new ProblemError('conflict', `${found.length} records have this name.`, {
    recovery: `Give the id of one of them: list_${what}s shows it.`,
  });
}

/** At most `most` of a list, and how many more there are. */
export const someOf = <T>(all: readonly T[], most: number): { some: T[]; leftOut: number } => ({
  some: all.slice(0, most),
  leftOut: Math.max(0, all.length - most),
});

/** A moment as models read it; null stays null. */
export const moment = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
