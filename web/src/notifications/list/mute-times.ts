/** How long something may be muted: in how many minutes that ends, from a moment on. */
export const muteTimes = [
  { label: 'for 1 hour', minutes: () => 60 },
  { label: 'for 8 hours', minutes: () => 8 * 60 },
  { label: 'until tomorrow, 08:00', minutes: minutesUntilMorning },
] as const;

const morningHour = 8;

/** By the clock of this browser, also where it is set forward or back in between. At least a minute. */
export function minutesUntilMorning(now: Date): number {
  const morning = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, morningHour);
  return Math.max(1, Math.round((morning.getTime() - now.getTime()) / 60_000));
}
