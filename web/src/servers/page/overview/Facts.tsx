import type { ServerStats } from '@homeport/contract/stats/schema';
import { classNames } from '../../../ui/class-names.ts';
import definitionsStyles from '../../../ui/layout/definitions.module.css';
import { Fact } from '../../../ui/layout/Fact.tsx';
import { formatAddress, formatCount, formatDate } from '../../../ui/text/format.ts';
import styles from './Facts.module.css';

/** The kernel writes "no limit" as a number that no machine reaches. */
const unlimited = 2 ** 53;

/** The machine's hardware and system, and the counts of its activity. */
export function Facts({ stats }: { stats: ServerStats }) {
  return (
    <dl className={classNames(definitionsStyles.grid, styles.facts)}>
      <Fact name="Processor">{join([clock(stats), stats.cpu_name])}</Fact>
      <Fact name="System">{join([stats.os_name, stats.os_arch])}</Fact>
      <Fact name="Kernel">{stats.os_kernel}</Fact>
      <Fact name="Agent">{`${stats.agent_version}, installed ${formatDate(stats.installed)}`}</Fact>
      <Fact name="Connections">{count(stats.connections)}</Fact>
      <Fact name="Processes, logins">{join([count(stats.processes), count(stats.sessions)])}</Fact>
      <Fact name="File handles">{fileHandles(stats)}</Fact>
      <Fact name="IPv6, interface">{join([stats.ipv6 && formatAddress(stats.ipv6), stats.nic])}</Fact>
    </dl>
  );
}

const join = (parts: readonly (string | null)[]) => parts.filter(Boolean).join(', ');
const count = (value: number | null) => (value === null ? null : formatCount(value));

function clock({ cpu_cores: cores, cpu_freq: megahertz }: ServerStats): string | null {
  if (cores === null) return null;
  return megahertz ? `${cores} × ${(megahertz / 1000).toFixed(2)} GHz` : `${cores} cores`;
}

function fileHandles({ file_handles: open, file_handles_limit: limit }: ServerStats): string | null {
  if (open === null) return null;
  if (limit === null) return formatCount(open);
  return `${formatCount(open)} of ${limit >= unlimited ? 'any number' : formatCount(limit)}`;
}
