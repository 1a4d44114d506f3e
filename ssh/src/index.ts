export { type Clock, systemClock } from './clock.ts';
export { type CloseReason, Connection, type ConnectionFacts, type ConnectionLife } from './connection.ts';
export { type ConnectionKey, ConnectionPool, type Opener } from './connection-pool.ts';
export type { Credential, InteractivePrompt, Prompter, Signer, SignRequest } from './credential.ts';
export type { Target } from './dial.ts';
export {
  CommandError,
  type CommandFailure,
  type EndedEarly,
  OpeningError,
  type OpeningFailure,
} from './failures.ts';
export { fingerprintOf, keyTypeOf } from './host-key.ts';
export { type OpenOptions, openConnection } from './open-connection.ts';
export { type ProbedHostKey, probeHostKey } from './probe-host-key.ts';
export type { CommandOptions, CommandResult } from './run-command.ts';
export type { ProgramOptions } from './run-program.ts';
export { splitLines } from './split-lines.ts';
export type { Timeouts } from './timeouts.ts';
