import { recordsTogether } from '@homeport/contract/domains/facts';
import type { PointingRecord } from '@homeport/contract/domains/schema';

interface Removal {
  zones: { zone: string; records: string[] }[];
}

/** The requests that remove these records: those of a zone together, as many as one request takes. */
export function removalOf(found: readonly PointingRecord[]): Removal[] {
  const byZone = new Map<string, string[]>();
  for (const { zoneId, record } of found) byZone.set(zoneId, [...(byZone.get(zoneId) ?? []), record.id]);
  const parts = [...byZone].flatMap(([zone, ids]) =>
    Array.from({ length: Math.ceil(ids.length / recordsTogether) }, (_, at) => ({
      zone,
      records: ids.slice(at * recordsTogether, (at + 1) * recordsTogether),
    })),
  );
  return parts.map((part) => ({ zones: [part] }));
}
