import { recordTtl } from '@homeport/contract/domains/facts';
import type { Zone } from '@homeport/contract/domains/schema';
import type { BadgeTone } from '../ui/feedback/Status.tsx';

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** A zone's status as a word: "Active", "Pending". */
export const zoneStatus = ({ status, paused }: Pick<Zone, 'status' | 'paused'>) =>
  paused && status === 'active' ? 'Paused' : capital(status);

export const zoneType = ({ type }: Pick<Zone, 'type'>) => capital(type);

export function zoneTone({ status, paused }: Pick<Zone, 'status' | 'paused'>): BadgeTone {
  if (status === 'active') return paused ? 'plain' : 'ok';
  return status === 'moved' ? 'bad' : 'warn';
}

/** What a status means for the records; null: nothing to say. */
export function zoneRemark({ status, type, paused, editable }: Zone): string | null {
  if (type !== 'full')
    return `This is a ${type} zone: its records come from another DNS service and are only shown.`;
  if (!editable) return 'Your credential may not change the records of this domain.';
  if (status === 'pending')
    return 'The name servers of this domain do not lead to Cloudflare yet, so its records do not answer.';
  if (status === 'moved') return 'The name servers of this domain no longer lead to Cloudflare.';
  if (paused) return 'Cloudflare is paused for this domain: records answer with the server’s own address.';
  return null;
}

const minute = 60;
const hour = 60 * minute;
const units = [
  [24 * hour, 'd'],
  [hour, 'h'],
  [minute, 'min'],
] as const;

/** A TTL in seconds as people say it: "Auto", "5 min", "1 h". */
export function ttlText(seconds: number): string {
  if (seconds === recordTtl.automatic) return 'Auto';
  const [size, unit] = units.find(([each]) => seconds % each === 0) ?? [1, 's'];
  return `${seconds / size} ${unit}`;
}
