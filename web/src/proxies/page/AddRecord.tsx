import { recordTtl } from '@homeport/contract/domains/facts';
import type { RecordInput } from '@homeport/contract/domains/schema';
import { messages } from '@homeport/contract/messages';
import type { WantedRecord } from '@homeport/contract/proxies/schema';
import { Link } from '@tanstack/react-router';
import { isProblem } from '../../data/api-problem.ts';
import { problemText } from '../../data/problem-text.ts';
import { useAct, useApi } from '../../data/use-api.ts';
import { Button } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { toast } from '../../ui/feedback/toasts.ts';
import typography from '../../ui/text/typography.module.css';

/**
 * Adds a record at Cloudflare. The button and the reason of a refusal stand at two places of the record's panel, so that neither moves
 * the record when the zones are known.
 */
export const useAddRecord = () =>
  useAct('POST /api/zones/:id/records', {
    onDone: () => toast.ok(messages.recordAdded, { detail: 'The domain is looked at again within seconds.' }),
  });

/** Adds the record with one click, where the linked account has the domain and may change it. */
export function AddRecordButton({
  record,
  add,
}: {
  record: WantedRecord;
  add: ReturnType<typeof useAddRecord>;
}) {
  const zone = useEditableZone(record.name);
  if (!zone) return null;
  return (
    <Button
      size="sm"
      icon="plus"
      busy={add.isPending}
      busyLabel="Adding"
      onClick={() => add.mutate({ params: { id: zone.id }, body: { record: inputOf(record) } })}
    >
      Add the {record.type} record at Cloudflare
    </Button>
  );
}

/** Why Cloudflare did not take the record, and the way to the zone's records. */
export function NotAdded({
  record,
  error,
  className,
}: {
  record: WantedRecord;
  error: Error;
  className: string | undefined;
}) {
  const zone = useEditableZone(record.name);
  return (
    <p role="alert" className={classNames(typography.small, className)}>
      {reasonsOf(error)}{' '}
      {zone && (
        <Link to="/domain/$id" params={{ id: zone.id }}>
          See the records of {zone.shownName}
        </Link>
      )}
    </p>
  );
}

/** The longest zone of the linked account that the name is in, if its records can be changed. */
function useEditableZone(name: string) {
  const zones = useApi('GET /api/zones').data?.zones ?? [];
  const [zone] = zones
    .filter((each) => name === each.name || name.endsWith(`.${each.name}`))
    .sort((a, b) => b.name.length - a.name.length);
  return zone?.editable ? zone : undefined;
}

/** DNS only: Cloudflare in front of the proxy service is a choice of its own. */
function inputOf({ type, name, content }: WantedRecord): RecordInput {
  const every = { host: name, ttl: recordTtl.automatic, content };
  return type === 'TXT' ? { type, ...every } : { type, ...every, proxied: false };
}

/** Cloudflare's own reason stands beside a field, and there are no fields here. */
const reasonsOf = (error: Error): string =>
  [isProblem(error) && Object.values(error.problem.fields ?? {}).join(' '), problemText(error)]
    .filter(Boolean)
    .join(' ');
