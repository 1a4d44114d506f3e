/** Terminals that one person may have open at once. Each holds a window of memory. */
export const terminalsPerPerson = 6;
/** Those of one server among them. Each holds one of the eight channels of a connection, which other work needs, too. */
export const terminalsPerServer = 3;

/**
 * How long a terminal lasts: so long after the last key, and so long in all, unless its person adds time, up to the most. A warning
 * comes before either end.
 */
export const terminalTimes = {
  idleMs: 15 * 60_000,
  stretchMs: 60 * 60_000,
  mostMs: 8 * 60 * 60_000,
  warningMs: 2 * 60_000,
} as const;
export type TerminalTimes = Record<keyof typeof terminalTimes, number>;

/** Keystrokes in one message of the page. A longer paste is several messages. */
export const terminalInputBytes = 4_096;
/** Keystrokes that may wait for the server. The page sends no more before some of them are taken. */
export const terminalInputWaitingBytes = 16_384;
/** Output that may be on its way to the page before it has taken some. Then the server waits. */
export const terminalOutputBytes = 128 * 1024;
/** Output in one event. */
export const terminalPieceBytes = terminalOutputBytes / 4;

/** The sizes that a terminal can have. */
export const terminalSizes = { columns: { least: 2, most: 500 }, rows: { least: 1, most: 300 } } as const;

/** Why a terminal ended. */
export const terminalEnds = [
  ...(['exited', 'idle', 'time', 'forbidden', 'gone', 'connection_lost'] as const),
  /** The page sent more than the server took. */
  'flood',
  /** The console could not ask whether the person still has the right. */
  'unknown',
] as const;
export type TerminalEndReason = (typeof terminalEnds)[number];
