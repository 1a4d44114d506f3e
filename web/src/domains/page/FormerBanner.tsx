import { recordsTogether } from '@homeport/contract/domains/facts';
import type { DnsRecord, Zone } from '@homeport/contract/domains/schema';
import { useState } from 'react';
import { orSentence } from '../../data/problem-text.ts';
import { useAct } from '../../data/use-api.ts';
import { Button } from '../../ui/button/Button.tsx';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog.tsx';
import { Banner } from '../../ui/feedback/Banner.tsx';
import typography from '../../ui/text/typography.module.css';

/** Records that still lead to servers that were removed here. Their addresses may be somebody else's by now. */
export function FormerBanner({ zone, records }: { zone: Zone; records: readonly DnsRecord[] }) {
  const [asking, setAsking] = useState(false);
  const remove = useAct('POST /api/zones/remove-records');
  const former = records.filter(({ pointsAt }) => pointsAt?.kind === 'former');
  // A dialog that asks stays until it is closed, also when its records are gone.
  if (former.length === 0 && !asking) return null;
  const together = former.slice(0, recordsTogether);
  const count = former.length === 1 ? '1 record points' : `${former.length} records point`;
  return (
    <>
      <Banner
        tone="warn"
        action={
          zone.editable && (
            <Button size="sm" onClick={() => setAsking(true)}>
              Remove them
            </Button>
          )
        }
      >
        <p>
          {count} at servers that you removed here. Whoever gets those addresses next answers for these names.
        </p>
      </Banner>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={together.length === 1 ? 'Remove this record?' : `Remove ${together.length} records?`}
        description="These names then answer nothing. All of them are removed, or none."
        action="Remove records"
        busyLabel="Removing"
        onConfirm={() =>
          orSentence(
            remove.mutateAsync({
              body: { zones: [{ zone: zone.id, records: together.map(({ id }) => id) }] },
            }),
          )
        }
      >
        <ul>
          {together.map(({ id, shownName, content, type }) => (
            <li key={id} className={typography.monospace}>
              {shownName} {type} {content}
            </li>
          ))}
        </ul>
      </ConfirmDialog>
    </>
  );
}
