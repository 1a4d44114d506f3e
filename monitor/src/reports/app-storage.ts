import { reportSchema } from '@homeport/contract/stats/schema';
import { shortContainerId } from '@homeport/store';
import { z } from 'zod';

export type AppStorage = { bytes: number; measuredAt: number };

const reportedSchema = reportSchema.pick({ ts: true, apps: true, storage_ts: true });
const storedSchema = z.object({
  report: reportedSchema.optional(),
  storage: reportedSchema.optional(),
  update_time: z.number(),
});

/**
 * The bytes in the folders that these containers have mounted, by the newest report of their server. Containers
 * of an app share folders, and each folder counts once. Null while a size is not known: a sum would be too small.
 *
 * @param latest the JSON that `latestJson` wrote
 * @param containers short ids
 */
export function storageOf(latest: string, containers: readonly string[]): AppStorage | null {
  const stored = storedSchema.safeParse(JSON.parse(latest));
  // An agent of protocol 1 reports no containers.
  const report = stored.data?.report ?? stored.data?.storage;
  if (!stored.success || !report) return null;
  const { update_time } = stored.data;
  const measuredTs = report.storage_ts ?? null;
  const own = (report.apps ?? []).filter(({ id }) => containers.includes(shortContainerId(id)));
  if (measuredTs === null || own.length === 0) return null;
  const sizes = new Map<string, number>();
  for (const { mounts } of own) {
    if (!mounts) return null;
    for (const { path, bytes } of mounts) {
      if (typeof bytes !== 'number') return null;
      sizes.set(path, bytes);
    }
  }
  // On the console's clock, as the report's own time.
  const measuredAt = Math.min(update_time, update_time - (report.ts - measuredTs));
  return { bytes: [...sizes.values()].reduce((sum, size) => sum + size, 0), measuredAt };
}
