/** A terminal or a pipe that a command reads. */
export interface Input {
  setEncoding(encoding: 'utf8'): unknown;
  /** Only a terminal has it: no echo, and each character at once. */
  setRawMode?(isRaw: boolean): unknown;
  on(event: 'data', take: (text: string) => void): unknown;
  on(event: 'end', take: () => void): unknown;
  off(event: 'data', take: (text: string) => void): unknown;
  off(event: 'end', take: () => void): unknown;
  resume(): unknown;
  pause(): unknown;
  unshift(text: string): unknown;
}

/** What a command hands on: its terminal, and the flags of its line. */
export interface Asked {
  terminal: Terminal;
  flags: Readonly<Record<string, string | true | undefined>>;
}

/** Everything that a command has of the machine on which it runs. */
export interface Terminal {
  env: Readonly<Record<string, string | undefined>>;
  /** What the machine says of itself. */
  machine: { name: string; platform: string };
  /** The person's home folder. */
  home: string;
  stdin: Input;
  /** Data. Resolves when it is written, so that a slow reader slows the command down. */
  out(text: string): Promise<void>;
  /** Progress, questions and problems. */
  err(text: string): Promise<void>;
  /** Somebody reads stdout, not a program. */
  isRead: boolean;
  /** Somebody can be asked: input and stderr are a terminal. */
  canAsk: boolean;
  /** Aborted when nobody reads the data any more: the other end of the pipe is closed. */
  readerGone: AbortSignal;
  /** Aborted by Ctrl-C. */
  interrupted: AbortSignal;
  /** Epoch milliseconds. */
  now(): number;
  wait(ms: number): Promise<void>;
}
