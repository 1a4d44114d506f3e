/**
 * What Dokku does with new containers of a type before visitors reach them. `checked`: it waits for its checks. `skipped`: it waits for
 * nothing. `disabled`: it stops the old containers first.
 */
export const checkModes = ['checked', 'skipped', 'disabled'] as const;
export type CheckMode = (typeof checkModes)[number];

/** How long after a switch old containers are stopped that have not ended yet, in seconds. Dokku takes any text. */
const retireSecondsAtMost = 3_600;
export const isRetireTime = (seconds: number) =>
  Number.isInteger(seconds) && seconds >= 0 && seconds <= retireSecondsAtMost;
export const retireTimeRefused = `Enter whole seconds from 0 to ${retireSecondsAtMost}.`;
