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

type Row = BuildRecord & {
  /** Dokku's word: `abandoned` is a failed build whose record Dokku did not close. */
  display_status: string;
};

/**
 * The deploys, in the order of their records. Left out are records of commands that start the deployed version again: `ps:start`
 * and `ps:scale`, whose source is `deploy`, and `ps:restart`, which Dokku never closes and later calls failed although the restart
 * succeeded.
 */
export function buildsOf(
  records: readonly Row[],
  /** Goings-back, which Dokku records as it records a start. */
  wentBack: ReadonlySet<string> = new Set(),
): Build[] {
  return records
    .filter(
      ({ id, kind, source }) =>
        kind !== 'deploy' || (source !== 'deploy' && source !== 'ps:restart') || wentBack.has(id),
    )
    .map(toBuild);
}

/** When the newest of these records, newest first, started the deployed version again (`ps:start`, `ps:scale`). */
export function lastStartOf(records: readonly Row[]): number | null {
  const start = records
    .filter(({ kind, source }) => kind === 'deploy' && source === 'deploy')
    .map(toBuild)
    .find(({ status }) => status === 'succeeded');
  return start?.finishedAt ?? null;
}

function toBuild(row: Row): Build {
  return {
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
  };
}
