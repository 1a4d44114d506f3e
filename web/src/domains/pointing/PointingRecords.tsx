import { recordsWithRemoval } from '@homeport/contract/domains/facts';
import type { LeavingRecord, PointingRecords } from '@homeport/contract/domains/schema';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { apiQuery } from '../../data/api-query.ts';
import { problemText } from '../../data/problem-text.ts';
import { useAct, useApi } from '../../data/use-api.ts';
import { classNames } from '../../ui/class-names.ts';
import { toast } from '../../ui/feedback/toasts.ts';
import { Checkbox } from '../../ui/form/Choice.tsx';
import layout from '../../ui/layout/layout.module.css';
import typography from '../../ui/text/typography.module.css';
import { removalOf } from './removal-of.ts';

interface Pointing {
  /** The records, with the choice; null: there are none. */
  offer: ReactNode;
  /** Whether there are any is not known yet. */
  looking: boolean;
  /** Those that the person wants to be removed or changed. The operation does so after its own work. */
  chosen: LeavingRecord[];
  /** Removes them at once, after what no operation does. A refusal is told, because what they pointed at is gone already. */
  removeChosen: () => Promise<void>;
}

interface Choice {
  /** Only records of this name. */
  domain?: string;
  /** What becomes of the records: they go with what they point at, or follow it. */
  verb?: 'remove' | 'change';
  /** The name that the server gets. The record of this name leads there already, or it would lead to itself. */
  newName?: string;
}

const texts = {
  remove: { label: (them: string) => `Remove ${them} at Cloudflare too`, done: 'removed' },
  change: { label: (them: string) => `Change ${them} to the new address at Cloudflare`, done: 'changed' },
};

/** The DNS records that point at an app or a server which is about to go or to move, and the offer to remove or change them. */
export function usePointingRecords(
  of: 'app' | 'server',
  id: string,
  { domain, verb = 'remove', newName }: Choice = {},
): Pointing {
  const zones = useApi('GET /api/zones');
  const linked = zones.data?.linked ?? false;
  const route = of === 'app' ? 'GET /api/apps/:id/records' : 'GET /api/servers/:id/records';
  const read = useQuery<PointingRecords>({
    ...apiQuery(route, { params: { id } }),
    enabled: linked,
    refetchInterval: false,
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const [wanted, setWanted] = useState(true);
  const remove = useAct('POST /api/zones/remove-records');
  const pointing = (read.data?.records ?? []).filter(
    ({ record }) => record.name !== newName && (domain === undefined || record.name === domain),
  );
  const found = pointing.slice(0, recordsWithRemoval);
  const looking = zones.isPending || (linked && read.isPending);
  return {
    looking,
    offer: linked && (
      <>
        {verb === 'change' && looking && (
          <p className={typography.small}>Looking for the DNS records that point here…</p>
        )}
        {read.isError && !read.data && (
          <p className={typography.small}>
            The DNS records that point here could not be read: {problemText(read.error)}
          </p>
        )}
        {typeof read.data?.unknownName === 'string' && (
          <p className={classNames(typography.small, typography.longWords)}>
            {read.data.unknownName} has no address in DNS now, or could not be looked up, so records with an
            address of it were not looked for.
          </p>
        )}
        {found.length > 0 && (
          <div className={layout.stack}>
            <p className={typography.small}>
              {found.length === 1 ? 'This DNS record points' : `These ${found.length} DNS records point`}{' '}
              here:
            </p>
            <ul className={typography.small}>
              {found.map(({ zoneId, record }) => (
                <li
                  key={`${zoneId} ${record.id}`}
                  className={classNames(typography.monospace, typography.longWords)}
                >
                  {record.shownName} {record.type} {record.content}
                </li>
              ))}
            </ul>
            {pointing.length > found.length && (
              <p className={typography.small}>
                {pointing.length - found.length} more point here. They stay, and can be {texts[verb].done} on
                the pages of their domains.
              </p>
            )}
            {(read.data?.zonesLeft ?? 0) > 0 && (
              <p className={typography.small}>{read.data?.zonesLeft} more domains were not looked through.</p>
            )}
            <Checkbox
              label={texts[verb].label(found.length === 1 ? 'it' : 'them')}
              checked={wanted}
              onChange={(event) => setWanted(event.currentTarget.checked)}
            />
          </div>
        )}
      </>
    ),
    chosen: wanted
      ? found.map(({ zoneId, record: { id: record, name } }) => ({ zone: zoneId, record, dnsName: name }))
      : [],
    async removeChosen() {
      if (!wanted || found.length === 0) return;
      for (const body of removalOf(found)) {
        try {
          await remove.mutateAsync({ body });
        } catch (error) {
          toast.bad('The DNS records were not removed', { detail: problemText(error) });
          return;
        }
      }
    },
  };
}
