import type { LeavingKind } from '@homeport/contract/proxies/facts';
import type { Leaving, ProxyRecord, ProxyRule } from '@homeport/contract/proxies/schema';
import { problemText } from '../../data/problem-text.ts';
import { useAct } from '../../data/use-api.ts';
import { Button } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Panel } from '../../ui/layout/Panel.tsx';
import { Setting, SettingsList } from '../../ui/layout/Setting.tsx';
import { type Column, Table } from '../../ui/table/Table.tsx';
import typography from '../../ui/text/typography.module.css';
import styles from './DoctorPanel.module.css';

export const isMounted = ({ type }: ProxyRule): boolean => type === 'subdirectory';

/** Examines each mounted site: what still leads out of its path. Changes nothing. */
export function DoctorPanel({ proxy }: { proxy: ProxyRecord }) {
  const mounted = proxy.rules.filter(isMounted);
  if (mounted.length === 0) return null;
  return (
    <Panel title="Merge doctor" id="merge-doctor" body="flush">
      <SettingsList>
        {mounted.map((rule) => (
          <Mounted key={rule.id} proxy={proxy} rule={rule} />
        ))}
      </SettingsList>
    </Panel>
  );
}

function Mounted({ proxy, rule }: { proxy: ProxyRecord; rule: ProxyRule }) {
  const examine = useAct('POST /api/proxies/:id/examine');
  const { data } = examine;
  return (
    <Setting
      title={rule.path}
      note="Reads its start page, pages that it links to, their stylesheets and scripts, and lists what leads out of the path. Changes nothing."
      action={
        <Button
          size="sm"
          icon="search"
          busy={examine.isPending}
          busyLabel="Examining"
          onClick={() => examine.mutate({ params: { id: proxy.id }, body: { ruleId: rule.id } })}
        >
          <span>
            Examine <span className={classNames(typography.truncated, styles.path)}>{rule.path}</span>
          </span>
        </Button>
      }
    >
      <div role="status" aria-label={`Examination of ${rule.path}`} className={styles.result}>
        {examine.error && <p className={typography.small}>{problemText(examine.error)}</p>}
        {data?.kind === 'failed' && <p className={typography.small}>{data.reason}</p>}
        {data?.kind === 'examined' && (
          <p className={typography.small}>
            {data.leaving.length === 0
              ? `Nothing leads out of ${rule.path}`
              : `${data.leaving.length} ${data.leaving.length === 1 ? 'thing leads' : 'things lead'} out of ${rule.path}`}{' '}
            on {data.pages.length === 1 ? '1 page' : `${data.pages.length} pages`}.
          </p>
        )}
        {data?.kind === 'examined' && data.leaving.length > 0 && (
          <Table
            caption={`What leads out of ${rule.path}`}
            columns={columns}
            rows={data.leaving}
            rowKey={({ kind, value }) => `${kind} ${value}`}
          />
        )}
      </div>
    </Setting>
  );
}

const kindNames: Record<LeavingKind, string> = {
  link: 'Link',
  asset: 'File',
  form: 'Form',
  redirect: 'Redirect',
  cookie: 'Cookie',
  worker: 'Service worker',
  style: 'Style',
  script: 'Text in a script',
};

const columns: readonly Column<Leaving>[] = [
  { key: 'kind', head: 'What', cell: ({ kind }) => kindNames[kind] },
  {
    key: 'value',
    head: 'Leads to',
    card: 'wide',
    cell: ({ value }) => <span className={styles.value}>{value}</span>,
  },
  {
    key: 'page',
    head: 'On page',
    card: 'wide',
    cell: ({ page }) => <span className={styles.value}>{page}</span>,
  },
  { key: 'proposal', head: 'Proposal', card: 'full', cell: ({ proposal }) => proposal },
];
