import type { ConsoleBackup } from '@homeport/contract/console/schema';
import { formatWhen } from '../../ui/text/format.ts';

/** When a copy that failed is tried again, or what happens instead. */
export function nextTry({ tries, againAt }: NonNullable<ConsoleBackup['copy']>, now: number): string {
  if (againAt === null)
    return tries > 1
      ? `It was tried ${tries} times and is given up. The next backup is copied when it is made.`
      : 'The next backup is copied when it is made.';
  return againAt <= now ? 'The next try is due now.' : `Next try: ${formatWhen(againAt, now)}.`;
}
