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
  if (known && placeOf(known) !== null) return known;
  context.addIssue({ code: 'custom', message: noZone });
  return z.NEVER;
}

/** How this machine names the zone; null where it knows none of that name. */
function placeOf(name: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
