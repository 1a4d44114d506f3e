import type { Horizon } from '@homeport/contract/horizons';
import type { ProxyRecord } from '@homeport/contract/proxies/schema';
import { useState } from 'react';
import { problemText } from '../../data/problem-text.ts';
import { useApi } from '../../data/use-api.ts';
import { horizonChoices } from '../../ui/chart/series.ts';
import { Failed, NothingYet, SkeletonRows } from '../../ui/feedback/States.tsx';
import { Segments } from '../../ui/form/Segments.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { type Column, Table } from '../../ui/table/Table.tsx';
import { formatBytes, formatCount, formatLatency } from '../../ui/text/format.ts';
import { type RuleFigures, sumByRule } from './use-figures.ts';

/** What visitors did, by rule, over the last points of a horizon. */
export function UsePanel({ proxy }: { proxy: ProxyRecord }) {
  const [horizon, setHorizon] = useState<Horizon>('all');
  const use = useApi('GET /api/proxies/:id/use', { params: { id: proxy.id }, query: { horizon } });
  const rows = sumByRule(use.data ?? []);
  return (
    <Panel
      title="Requests"
      id="requests"
      body="flush"
      busy={use.isPending}
      actions={<Segments legend="Horizon" value={horizon} options={horizonChoices} onChange={setHorizon} />}
    >
      {use.isPending && <SkeletonRows />}
      {use.isError && !use.data && (
        <Failed title="The figures could not be loaded" onRetry={() => void use.refetch()}>
          {problemText(use.error)}
        </Failed>
      )}
      {use.data && rows.length === 0 && (
        <NothingYet>No requests in this time. The proxy service counts each minute when it ends.</NothingYet>
      )}
      {rows.length > 0 && (
        <Table caption="Requests by rule" columns={columns(proxy)} rows={rows} rowKey={({ rule }) => rule} />
      )}
    </Panel>
  );
}

const columns = ({ rules }: ProxyRecord): Column<RuleFigures>[] => [
  { key: 'rule', head: 'Rule', card: 'full', cell: ({ rule }) => nameOf(rule, rules) },
  { key: 'requests', head: 'Requests', align: 'end', cell: ({ requests }) => formatCount(requests) },
  { key: 'errors', head: 'Errors', align: 'end', cell: ({ errors }) => formatCount(errors) },
  { key: 'hits', head: 'Cache hits', align: 'end', cell: ({ hits }) => formatCount(hits) },
  { key: 'bytes', head: 'Bytes', align: 'end', cell: ({ bytes }) => formatBytes(bytes) },
  { key: 'latency', head: 'Latency', align: 'end', cell: ({ averageMs }) => formatLatency(averageMs) },
  { key: 'longest', head: 'Longest', align: 'end', cell: ({ longestMs }) => formatLatency(longestMs) },
];

function nameOf(id: string, rules: ProxyRecord['rules']): string {
  const place = rules.findIndex((rule) => rule.id === id);
  if (place >= 0) return `Rule ${place + 1}, ${rules[place]?.path}`;
  return id === 'source' ? 'Everything else' : 'A deleted rule';
}
