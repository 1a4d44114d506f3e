import { z } from 'zod';

export const buildIdSchema = z
  .string()
  .regex(/^[a-z0-9]{1,32}$/)
  .brand<'BuildId'>();
export type BuildId = z.output<typeof buildIdSchema>;

export type Build = {
  readonly id: BuildId;
  readonly kind: string;
  /** `git-hook`, `ps:rebuild`, `config-redeploy`… */
  readonly source: string;
  readonly startedAt: number;
  readonly finishedAt: number | null;
  readonly status: 'running' | 'succeeded' | 'failed' | 'canceled';
};

export const buildRecordSchema = z.object({
  id: buildIdSchema,
  kind: z.string(),
  source: z.string(),
  started_at: z.iso.datetime({ offset: true }),
  finished_at: z.iso.datetime({ offset: true }).optional(),
});
export type BuildRecord = z.output<typeof buildRecordSchema>;

/**
 * The deploys of records with Dokku's word for their status. `abandoned` is a failed build whose record Dokku did not close.
 * Records of `ps:restart` are left out: Dokku never closes them, and later calls them failed although the restart succeeded.
 */
export function buildsOf(records: readonly (BuildRecord & { display_status: string })[]): Build[] {
  return records
    .filter((row) => row.source !== 'ps:restart')
    .map((row) => ({
      id: row.id,
      kind: row.kind,
      source: row.source,
      startedAt: Date.parse(row.started_at),
      finishedAt: row.finished_at === undefined ? null : Date.parse(row.finished_at),
      status: z
        .enum(['running', 'succeeded', 'canceled'])
        .or(z.literal('failed'))
        .catch('failed')
        .parse(row.display_status),
    }));
}
