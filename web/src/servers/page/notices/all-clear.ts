import { usageWarningPercent } from '@homeport/contract/limits';
import type { ServerStats } from '@homeport/contract/stats/schema';

type Percents = Pick<ServerStats, 'load_percent' | 'ram_percent' | 'disk_percent'>;

/** What is said of a server without notices. A percentage that nobody knows is under no bound, so it is named as unknown. */
export function allClearText({ load_percent, ram_percent, disk_percent }: Percents): string {
  const parts = [
    { name: 'CPU load', percent: load_percent },
    { name: 'RAM', percent: ram_percent },
    { name: 'disk', percent: disk_percent },
  ];
  const named = (of: typeof parts) => of.map(({ name }) => name).join(of.length === 2 ? ' and ' : ', ');
  const unknown = parts.filter(({ percent }) => percent === null);
  const known = parts.filter(({ percent }) => percent !== null);
  if (unknown.length === 0)
    return `All clear. CPU load, RAM and disk are under ${usageWarningPercent} %, and reports arrive.`;
  const rest = known.length === 0 ? '' : ` Under ${usageWarningPercent} %: ${named(known)}.`;
  return `Reports arrive.${rest} Not known: ${named(unknown)}.`;
}
