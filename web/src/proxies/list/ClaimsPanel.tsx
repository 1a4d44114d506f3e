import type { DomainClaim } from '@homeport/contract/proxies/schema';
import { problemText } from '../../data/problem-text.ts';
import { useAct, useApi } from '../../data/use-api.ts';
import { Button } from '../../ui/button/Button.tsx';
import { Failed } from '../../ui/feedback/States.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import { Panel } from '../../ui/layout/Panel.tsx';
import { Icon } from '../../ui/picture/Icon.tsx';
import { type Column, Table } from '../../ui/table/Table.tsx';
import { Time } from '../../ui/text/Time.tsx';

const title = 'Domains without proof in DNS';

/** For the owner of the console: domains of all accounts that no DNS record proves. Nothing is drawn where there are none. */
export function ClaimsPanel() {
  const loading = useApi('GET /api/proxies/claims');
  const claims = loading.data ?? [];
  if (loading.isError && !loading.data)
    return (
      <Panel title={title} body="flush">
        <Failed title="The domains without proof could not be loaded" onRetry={() => void loading.refetch()}>
          {problemText(loading.error)}
        </Failed>
      </Panel>
    );
  if (claims.length === 0) return null;
  return (
    <Panel
      title={title}
      body="flush"
      footer={
        <>
          <Icon name="info" size={16} />
          <p>
            You own this console, so you can confirm whose a domain is. Do so only where you know whose it is:
            its visitors get the websites of this account. A proof in DNS wins over your confirmation.
          </p>
        </>
      }
    >
      <Table caption={title} columns={columns} rows={claims} rowKey={({ id }: DomainClaim) => id} />
    </Panel>
  );
}

const columns: readonly Column<DomainClaim>[] = [
  { key: 'domain', head: 'Domain', card: 'full', cell: ({ domain }) => domain },
  { key: 'account', head: 'Account', card: 'full', cell: ({ email }) => email },
  { key: 'created', head: 'Created', cell: ({ createdAt }) => <Time at={createdAt} as="date" /> },
  {
    key: 'pointing',
    head: 'DNS',
    cell: ({ pointing }) =>
      pointing === null ? 'Not asked yet' : pointing ? 'Leads here' : 'Does not lead here',
  },
  { key: 'act', head: 'Your confirmation', card: 'full', cell: (claim) => <Confirmation claim={claim} /> },
];

function Confirmation({ claim: { id, domain, vouchedAt } }: { claim: DomainClaim }) {
  const confirm = useAct('POST /api/proxies/:id/vouch', {
    onFailed: (failure) => toast.bad(problemText(failure)),
  });
  const vouched = vouchedAt === null;
  return (
    <Button
      busy={confirm.isPending}
      busyLabel={vouched ? 'Confirming' : 'Withdrawing'}
      onClick={() => confirm.mutate({ params: { id }, body: { vouched } })}
    >
      {vouched ? `Confirm ${domain}` : `Withdraw for ${domain}`}
    </Button>
  );
}
