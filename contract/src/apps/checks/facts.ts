/**
 * What Dokku does with new containers of a type before visitors reach them. `checked`: it waits for its checks. `skipped`: it waits for
 * nothing. `disabled`: it stops the old containers first.
 */
export const checkModes = ['checked', 'skipped', 'disabled'] as const;
export type CheckMode = (typeof checkModes)[number];

/** What a check of app.json asks for. Dokku takes the first of these that a check names. */
export const ownCheckKinds = ['listening', 'command', 'path', 'uptime'] as const;

/**
 * What a deploy does with a check of app.json. `untyped` and `otherType`: nothing, because its type is not `startup`. `contradicts`: the
 * deploy fails, because the check names two kinds.
 */
export const ownCheckUses = ['runs', 'untyped', 'otherType', 'contradicts'] as const;

/** So many checks of one type of process are shown, and the others counted. */
export const ownChecksShown = 20;

/** So much of a text of a check is shown. */
export const ownCheckCharacters = 200;

/** How long after a switch old containers are stopped that have not ended yet, in seconds. Dokku takes any text. */
const retireSecondsAtMost = 3_600;
export const isRetireTime = (seconds: number) =>
  Number.isInteger(seconds) && seconds >= 0 && seconds <= retireSecondsAtMost;
export const retireTimeRefused = `Enter whole seconds from 0 to ${retireSecondsAtMost}.`;
