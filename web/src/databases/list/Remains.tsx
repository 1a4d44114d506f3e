import type { Operation } from '@homeport/contract/operations/schema';
import { useApi } from '../../data/use-api.ts';
import { openOperation } from '../../operations/open-operation.ts';
import { Banner, LinkButton } from '../../ui/feedback/Banner.tsx';
import layout from '../../ui/layout/layout.module.css';
import { RemoveRemains } from '../RemoveRemains.tsx';

/** The creations that ended early and left something on their server, each with its two ways out. */
export function Remains() {
  const left = useApi('GET /api/operations', { query: { remains: 'true' } }).data ?? [];
  if (left.length === 0) return null;
  return (
    <div className={layout.banners}>
      {left.map((creation) => (
        <Left key={creation.id} creation={creation} />
      ))}
    </div>
  );
}

function Left({ creation }: { creation: Operation }) {
  const { id, longname, serverName } = creation;
  return (
    <Banner tone="warn" action={<RemoveRemains creationId={id} />}>
      <p>
        The creation of {longname} ended early. What it left takes this name on {serverName}.{' '}
        <LinkButton onClick={() => openOperation(id)}>Look at it or run it again</LinkButton>
      </p>
    </Banner>
  );
}
