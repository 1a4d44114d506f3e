import { z } from 'zod';
import { boundedText } from '../fields/bounded-text.ts';

const clockSchema = boundedText(5).regex(/^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/, 'Enter a time as 22:00.');
const noZone = 'Enter a time zone by its place, such as Europe/Berlin.';

/** When a destination is left in peace. News waits for the end of these hours. They may go over midnight. */
export const quietHoursSchema = z.object({
  from: z.string(),
  to: z.string(),
  /** By whose clock: the name of a time zone, such as Europe/Berlin. */
  zone: z.string(),
  /** Outages, and their ends, do not wait. */
  grave: z.boolean(),
});
export type QuietHours = z.output<typeof quietHoursSchema>;

export const newQuietHoursSchema = z
  .strictObject({
    from: clockSchema,
    to: clockSchema,
    zone: boundedText(64)
      .regex(/^[A-Za-z][A-Za-z0-9_+/-]*$/, noZone)
      .transform(readTimeZone),
    grave: z.boolean(),
  })
  .superRefine(({ from, to }, context) => {
    if (from === to)
      context.addIssue({ code: 'custom', path: ['to'], message: 'Enter another time than the first one.' });
  });

/**
 * The name of a zone by its place. PostgreSQL reads CET and its like as an abbreviation, which knows no summer time, and several of them
 * otherwise than a browser; an offset, such as +02:00, knows none either.
 */
function readTimeZone(name: string, context: z.RefinementCtx): string {
  const known = [name, placeOf(name)].find((each) => each !== null && (each === 'UTC' || each.includes('/')));
  if (known && placeOf(known) !== null) return renamed.get(known) ?? known;
  context.addIssue({ code: 'custom', message: noZone });
  return z.NEVER;
}

/**
 * Zones that browsers name as they once were called (the long names of CLDR's `timezone.xml`), and their names of today. PostgreSQL may know
 * these alone: Debian has the old ones in a package of its own.
 */
const renamed: ReadonlyMap<string, string> = new Map([
  ['Africa/Asmera', 'Africa/Asmara'],
  ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['America/Catamarca', 'America/Argentina/Catamarca'],
  ['America/Coral_Harbour', 'America/Atikokan'],
  ['America/Cordoba', 'America/Argentina/Cordoba'],
  ['America/Godthab', 'America/Nuuk'],
  ['America/Indianapolis', 'America/Indiana/Indianapolis'],
  ['America/Jujuy', 'America/Argentina/Jujuy'],
  ['America/Louisville', 'America/Kentucky/Louisville'],
  ['America/Mendoza', 'America/Argentina/Mendoza'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Asia/Katmandu', 'Asia/Kathmandu'],
  ['Asia/Rangoon', 'Asia/Yangon'],
  ['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
  ['Atlantic/Faeroe', 'Atlantic/Faroe'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['Pacific/Enderbury', 'Pacific/Kanton'],
  ['Pacific/Ponape', 'Pacific/Pohnpei'],
  ['Pacific/Truk', 'Pacific/Chuuk'],
]);

/** How this machine names the zone; null where it knows none of that name. */
function placeOf(name: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
