/**
 * What Dokku does with new containers of a type before visitors reach them. `checked`: it waits for its checks. `skipped`: it waits for
 * nothing. `disabled`: it stops the old containers first.
 */
export const checkModes = ['checked', 'skipped', 'disabled'] as const;
export type CheckMode = (typeof checkModes)[number];

/** What a check of app.json asks for. Dokku takes the first of these that a check names. */
export const ownCheckKinds = ['listening', 'command', 'path', 'uptime'] as const;

/**
 * What a deploy does with a check of app.json. `untyped` and `otherType`: nothing, because its type is not `startup`. `contradicts` and
 * `impossible`: the check fails in any case, because it names two kinds, or a port or a scheme that nothing has.
 */
export const ownCheckUses = ['runs', 'untyped', 'otherType', 'contradicts', 'impossible'] as const;

/**
 * What Dokku does where a check fails, also one that only warns. `command`: it runs a command of app.json as root on the server, not in a
 * container. `url`: it sends the errors to an address. `both`: first the command, and the errors where that succeeded.
 */
export const ownCheckFailures = ['none', 'command', 'url', 'both'] as const;

/** Where Dokku looks for another type than web, if a check names no port. */
export const ownCheckPort = 5_000;
export const portsAtMost = 65_535;

/** An app.json with more checks, of all types together, is not read. */
export const ownChecksRead = 200;

/** So many checks of one type of process are shown, and the others counted. */
export const ownChecksShown = 20;

/** So much of a text of a check is shown. */
export const ownCheckCharacters = 200;

/** How long after a switch old containers are stopped that have not ended yet, in seconds. Dokku takes any text. */
const retireSecondsAtMost = 3_600;
export const isRetireTime = (seconds: number) =>
  Number.isInteger(seconds) && seconds >= 0 && seconds <= retireSecondsAtMost;
export const retireTimeRefused = `Enter whole seconds from 0 to ${retireSecondsAtMost}.`;
