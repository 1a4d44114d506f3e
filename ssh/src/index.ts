export { type Clock, systemClock } from './clock.ts';
export { type CloseReason, Connection, type ConnectionFacts, type ConnectionLife } from './connection.ts';
export { type ConnectionKey, ConnectionPool, type Opener } from './connection-pool.ts';
export {
  CommandError,
  type CommandFailure,
  type EndedEarly,
  OpeningError,
  type OpeningFailure,
} from './failures.ts';
export type { Credential, InteractivePrompt, Prompter, Signer, SignRequest } from './opening/credential.ts';
export type { Target } from './opening/dial.ts';
export { fingerprintOf, keyTypeOf } from './opening/host-key.ts';
export { type OpenOptions, openConnection } from './opening/open-connection.ts';
export { PacketPace } from './opening/packet-pace.ts';
export { type ProbedHostKey, probeHostKey } from './opening/probe-host-key.ts';
export { type HostBoundLogins, takeHostBound } from './opening/take-host-bound.ts';
export { defaultTimeouts, type Timeouts } from './opening/timeouts.ts';
export type { Terminal, TerminalEnd, TerminalOptions, TerminalSize } from './running/open-terminal.ts';
export type { CommandOptions, CommandResult } from './running/run-command.ts';
export type { ProgramOptions } from './running/run-program.ts';
export { splitLines } from './running/split-lines.ts';
