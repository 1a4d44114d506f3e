import { randomUUID } from 'node:crypto';
import { channelsPerConnection, connectionAgeMs, connectionIdleMs } from '@homeport/contract/limits';
import type { Client } from 'ssh2';
import { type Clock, systemClock } from './clock.ts';
import { CommandError } from './failures.ts';
import { ChannelSlots } from './running/channel-slots.ts';
import type { LoginShell } from './running/launcher.ts';
import { openTerminal, type Terminal, type TerminalOptions } from './running/open-terminal.ts';
import { type CommandOptions, type CommandResult, runCommand } from './running/run-command.ts';
import { type ProgramOptions, programCommand } from './running/run-program.ts';

export type CloseReason = 'asked' | 'idle' | 'age' | 'lost';

export type ConnectionFacts = {
  host: string;
  port: number;
  username: string;
  method: 'agent' | 'password';
  hostKeyFingerprint: string;
  hostKeyType: string;
  /** The host key itself, which has the pinned fingerprint. Base64 of its blob (RFC 4253, 6.6). */
  hostKeyBlob: string;
};

export type ConnectionLife = { idleMs?: number; ageMs?: number; clock?: Clock };

/**
 * A live login on one server. It closes by itself after five idle minutes. After sixty minutes it takes no new command. Half
 * an installation is worse than a late end, so a command that runs then may finish.
 */
export class Connection {
  readonly id = randomUUID();
  readonly facts: ConnectionFacts;
  readonly openedAt: number;
  readonly expiresAt: number;
  readonly idleMs: number;
  /** Changes when the server reboots. Null when the server does not report it. */
  bootId: string | null = null;
  /** The shell that reads our command lines; `unknown` until the server has named it. */
  loginShell: LoginShell = 'unknown';

  readonly #client: Client;
  readonly #clock: Clock;
  readonly #slots = new ChannelSlots(channelsPerConnection);
  readonly #listeners = new Set<(reason: CloseReason) => void>();
  #lastUsedAt: number;
  #running = 0;
  #closed: CloseReason | null = null;
  #expired = false;
  #cancelIdle: () => void = () => {};
  readonly #cancelAge: () => void;

  constructor(client: Client, facts: ConnectionFacts, life: ConnectionLife = {}) {
    this.#client = client;
    this.#clock = life.clock ?? systemClock;
    this.facts = facts;
    this.idleMs = life.idleMs ?? connectionIdleMs;
    const ageMs = life.ageMs ?? connectionAgeMs;
    this.openedAt = this.#clock.now();
    this.#lastUsedAt = this.openedAt;
    this.expiresAt = this.openedAt + ageMs;
    this.#cancelAge = this.#clock.after(ageMs, () => this.#expire());
    client.on('close', () => this.#finish('lost'));
    this.#watchIdle();
  }

  get lastUsedAt(): number {
    return this.#lastUsedAt;
  }

  /** False once the connection is closed or past its age. The caller then has to open a new one. */
  get usable(): boolean {
    return this.#closed === null && !this.#expired;
  }

  /** Commands running and waiting. */
  get running(): number {
    return this.#running;
  }

  /** How many channels at once the server allows, as far as we know. */
  get channelLimit(): number {
    return this.#slots.limit;
  }

  /** Runs a command to its end; any exit code is a result. Rejects with `CommandError`. */
  async exec(options: CommandOptions): Promise<CommandResult> {
    if (!this.usable) throw new CommandError({ code: 'connection_required' });
    this.#running += 1;
    this.#cancelIdle();
    this.#lastUsedAt = this.#clock.now();
    try {
      return await runCommand(
        { client: this.#client, slots: this.#slots, clock: this.#clock, shell: this.loginShell },
        options,
      );
    } catch (error) {
      throw this.#closed === null ? error : lostRatherThanRefused(error);
    } finally {
      this.#running -= 1;
      this.#lastUsedAt = this.#clock.now();
      if (this.#running === 0) this.#rest();
    }
  }

  /** Opens a terminal for a person. The connection counts as used until the terminal has ended. Rejects with `CommandError`. */
  async openTerminal(options: TerminalOptions): Promise<Terminal> {
    if (!this.usable) throw new CommandError({ code: 'connection_required' });
    this.#running += 1;
    this.#cancelIdle();
    this.#lastUsedAt = this.#clock.now();
    const done = () => {
      this.#running -= 1;
      this.#lastUsedAt = this.#clock.now();
      if (this.#running === 0) this.#rest();
    };
    try {
      const terminal = await openTerminal(
        { client: this.#client, slots: this.#slots, clock: this.#clock, shell: this.loginShell },
        options,
      );
      void terminal.ended.then(done);
      return terminal;
    } catch (error) {
      done();
      throw this.#closed === null ? error : lostRatherThanRefused(error);
    }
  }

  /** Runs a shell program of several commands; see `programCommand` for how its text and its stdin travel. */
  runProgram(options: ProgramOptions): Promise<CommandResult> {
    return this.exec(programCommand(options));
  }

  /** Calls `listener` once when the connection has ended; immediately if it already has. Returns a function that stops listening. */
  onClose(listener: (reason: CloseReason) => void): () => void {
    if (this.#closed) listener(this.#closed);
    else this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends the connection now; running commands reject with `connection_lost`. */
  close(reason: CloseReason = 'asked'): void {
    if (this.#closed) return;
    this.#client.end();
    // A peer that never answers must not keep the socket open.
    setTimeout(() => this.#client.destroy(), 1_000).unref();
    this.#finish(reason);
  }

  #rest(): void {
    if (this.#expired) this.close('age');
    else this.#watchIdle();
  }

  #watchIdle(): void {
    if (this.#closed) return;
    this.#cancelIdle();
    this.#cancelIdle = this.#clock.after(this.idleMs, () => this.close('idle'));
  }

  #expire(): void {
    this.#expired = true;
    if (this.#running === 0) this.close('age');
  }

  #finish(reason: CloseReason): void {
    if (this.#closed) return;
    this.#closed = reason;
    this.#cancelIdle();
    this.#cancelAge();
    for (const listener of this.#listeners) listener(reason);
    this.#listeners.clear();
  }
}

/** When a connection ends, ssh2 reports each unanswered request as refused by the server. Report such a request as lost. */
function lostRatherThanRefused(error: unknown): unknown {
  if (!(error instanceof CommandError)) return error;
  if (error.failure.code !== 'channel_refused' && error.failure.code !== 'terminal_refused') return error;
  return new CommandError({ code: 'connection_lost', outputTail: '' }, error);
}
