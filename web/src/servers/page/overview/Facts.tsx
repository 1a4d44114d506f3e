import type { ServerStats } from '@homeport/contract/stats/schema';
import { classNames } from '../../../ui/class-names.ts';
import definitionsStyles from '../../../ui/layout/definitions.module.css';
import { Fact } from '../../../ui/layout/Fact.tsx';
import { formatAddress, formatCount, formatDate } from '../../../ui/text/format.ts';
import styles from './Facts.module.css';

/** The kernel writes "no limit" as a number that no machine reaches. */
const unlimited = 2 ** 53;

const facts: readonly (readonly [name: string, of: (stats: ServerStats) => string | null])[] = [
  ['Processor', (stats) => join([clock(stats), stats.cpu_name])],
  ['System', ({ os_name, os_arch }) => join([os_name, os_arch])],
  ['Kernel', ({ os_kernel }) => os_kernel],
  ['Agent', ({ agent_version, installed }) => `${agent_version}, installed ${formatDate(installed)}`],
  ['Connections', ({ connections }) => count(connections)],
  ['Processes, logins', ({ processes, sessions }) => join([count(processes), count(sessions)])],
  ['File handles', (stats) => fileHandles(stats)],
  ['IPv6, interface', ({ ipv6, nic }) => join([ipv6 && formatAddress(ipv6), nic])],
];

/** The machine's hardware and system, and the counts of its activity. Until the stats arrive it is as high as with them. */
export function Facts({ stats }: { stats: ServerStats | undefined }) {
  return (
    <dl className={classNames(definitionsStyles.grid, styles.facts)}>
      {facts.map(([name, of]) => (
        <Fact name={name} key={name}>
          {stats ? of(stats) : '\u00a0'}
        </Fact>
      ))}
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
