import { usageDangerPercent, usageWarningPercent } from '@homeport/contract/limits';
import type { HealthNotice } from '@homeport/contract/servers/health';
import { formatDuration, formatPercent, formatWhen } from '../../../ui/text/format.ts';

const subjects = { load: 'CPU load', ram: 'RAM usage', disk: 'Disk usage' } as const;

export interface NoticeContext {
  now: number;
  /** The time of the first known report. Nothing before it can be dated. */
  firstReport: number | null;
  locale?: string;
}

/** A notice in words: a title and one line. */
export function noticeText(
  notice: HealthNotice,
  { now, firstReport, locale }: NoticeContext,
): { title: string; detail: string } {
  const when = (at: number) => formatWhen(at, now, locale);
  if (notice.kind === 'offline')
    return {
      title: `Offline since ${when(notice.since)}`,
      detail: `No report arrived for ${formatDuration(now - notice.since)}. The machine, its network or its agent may be down.`,
    };
  if (notice.kind === 'gap')
    return {
      title: `No stats from ${when(notice.from)} to ${when(notice.to)}`,
      detail: `The monitor received nothing for ${formatDuration(notice.to - notice.from)}.`,
    };
  const since =
    notice.since !== null
      ? ` Since ${when(notice.since)}.`
      : firstReport !== null
        ? ` Since ${when(firstReport)} or earlier.`
        : '';
  const bound = notice.band === 'danger' ? usageDangerPercent : usageWarningPercent;
  return {
    title: `${subjects[notice.of]} is ${notice.percent === bound ? 'at' : 'above'} ${formatPercent(bound, 0, locale)}`,
    detail: `${formatPercent(notice.percent, 1, locale)}.${since}`,
  };
}
