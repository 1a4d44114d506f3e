import type { DomainClaim } from '@homeport/contract/proxies/schema';
import { problemText } from '../../data/api-problem.ts';
import { useAct, useApi } from '../../data/use-api.ts';
import { Button } from '../../ui/button/Button.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import { Panel } from '../../ui/layout/Panel.tsx';
import { Icon } from '../../ui/picture/Icon.tsx';
import { type Column, Table } from '../../ui/table/Table.tsx';
import { Time } from '../../ui/text/Time.tsx';

/** For the owner of the console: domains of all accounts that no DNS record proves. Nothing is drawn where there are none. */
export function ClaimsPanel() {
  const claims = useApi('GET /api/proxies/claims').data ?? [];
  if (claims.length === 0) return null;
  return (
    <Panel
      title="Domains without proof in DNS"
      body="flush"
      footer={
        <>
          <Icon name="info" size={16} />
          <p>
            You own this console, so you can vouch for a domain. Do so only where you know whose it is: its
            visitors get the websites of this account. A proof in DNS wins over your word.
          </p>
        </>
      }
    >
      <Table
        caption="Domains without proof in DNS"
        columns={columns}
        rows={claims}
        rowKey={({ id }: DomainClaim) => id}
      />
    </Panel>
  );
}

const columns: readonly Column<DomainClaim>[] = [
  { key: 'domain', head: 'Domain', card: 'full', cell: ({ domain }) => domain },
  { key: 'account', head: 'Account', card: 'wide', cell: ({ email }) => email },
  { key: 'created', head: 'Created', cell: ({ createdAt }) => <Time at={createdAt} as="date" /> },
  {
    key: 'pointing',
    head: 'DNS',
    cell: ({ pointing }) =>
      pointing === null ? 'Not asked yet' : pointing ? 'Leads here' : 'Leads elsewhere',
  },
  { key: 'act', head: 'Your word', card: 'full', cell: (claim) => <Vouch claim={claim} /> },
];

function Vouch({ claim: { id, domain, vouchedAt } }: { claim: DomainClaim }) {
  const vouch = useAct('POST /api/proxies/:id/vouch', {
    onFailed: (failure) => toast.bad(problemText(failure)),
  });
  const vouched = vouchedAt === null;
  return (
    <Button
      busy={vouch.isPending}
      busyLabel={vouched ? 'Vouching' : 'Taking back'}
      onClick={() => vouch.mutate({ params: { id }, body: { vouched } })}
    >
      {vouched ? `Vouch for ${domain}` : `Take back for ${domain}`}
    </Button>
  );
}
