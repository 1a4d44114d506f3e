import { randomBytes } from 'node:crypto';
import { type Account, type AppName, argvFor, enter, run, wayToEnd } from '@homeport/dokku';
import type { Connection, Terminal, TerminalOptions } from '@homeport/ssh';
import { type Run, runCommand } from '../remote/run-command.ts';
import { holdUntilMark } from './hold-until-mark.ts';

/** A terminal's connection, as far as this room needs it. */
export type TerminalConnection = Pick<Connection, 'openTerminal' | 'exec' | 'bootId' | 'facts'>;

type Where = {
  connection: TerminalConnection;
  account: Account;
  app: AppName;
  /** Null: a new container. */
  process: string | null;
};

/** A new container lasts no longer, whatever becomes of the console. */
const containerSeconds = 9 * 60 * 60;
/** The time for a busy server to open a terminal. */
const openWithinMs = 60_000;
/** A shell that has not said its mark by then is shown as it is. */
const markWithinMs = 20_000;
const endWithinMs = 30_000;

export type FarEnd = {
  terminal: Terminal;
  /** Ends what the terminal's shell left in the container. */
  clear(): Promise<void>;
};

export type FarEndOptions = Pick<TerminalOptions, 'size' | 'signal' | 'onOutput'> & {
  before: () => Promise<void>;
  /** A shell that the console lost ends a little after this time without a key. */
  idleMs: number;
};

/** The account's own shell, which sshd names (session.c), as a login gives it (sh(1), `-l`). */
const loginShell = ['sh', '-c', 'exec "$SHELL" -l'];

/** Opens the login shell of the connection's account. sshd ends it with its channel, however that ends. */
export async function openLoginShell(
  connection: Pick<TerminalConnection, 'openTerminal'>,
  { size, signal, onOutput, before }: FarEndOptions,
): Promise<FarEnd> {
  const terminal = await connection.openTerminal({
    ...{ argv: loginShell, size, signal, onOutput, before, openWithinMs },
  });
  return { terminal, clear: async () => {} };
}

/** Opens a shell in a container of the app. The page sees nothing that the console types itself. */
export async function openInContainer(where: Where, options: FarEndOptions): Promise<FarEnd> {
  const { connection, account, app, process } = where;
  const mark = enter.terminalMarkSchema.parse(randomBytes(9).toString('hex'));
  let place: enter.ShellPlace | null = null;
  let isHeard = false;
  const clear = () => clearPlace(where, mark, place);
  const opening = holdUntilMark(`homeport-${mark}`, (line) => {
    place = enter.readPlace(line);
  });
  const show = (bytes: Buffer) => (bytes.length === 0 ? undefined : options.onOutput(bytes));
  const shell = process === null ? run.shell(app, containerSeconds, mark) : enter.shell(app, process, mark);
  let terminal: Terminal;
  try {
    terminal = await connection.openTerminal({
      ...{ size: options.size, signal: options.signal, openWithinMs },
      ...{ argv: argvFor(account, shell), wayToEnd: wayToEnd(account) },
      async before() {
        await options.before();
        isHeard = true;
      },
      onOutput: (bytes) => show(opening.read(bytes)),
    });
  } catch (error) {
    // A page that left early, or a server that answered late: a shell may have begun.
    if (isHeard) await clear().catch(() => {});
    throw error;
  }
  const patience = setTimeout(() => void show(opening.giveUp()), markWithinMs);
  patience.unref();
  const ended = terminal.ended.then(async (end) => {
    clearTimeout(patience);
    await show(opening.giveUp());
    return end;
  });
  // A console that is lost for good leaves a shell that nobody types at, which ends a little after the page's own limit.
  await terminal.write(
    Buffer.from(enter.openingLines(`homeport-${mark}`, Math.ceil(options.idleMs / 1_000) + 60)),
  );
  return { terminal: { ...terminal, ended }, clear };
}

async function clearPlace(
  { connection, account, app, process }: Where,
  mark: enter.TerminalMark,
  place: enter.ShellPlace | null,
): Promise<void> {
  const signal = AbortSignal.timeout(endWithinMs);
  if (process === null) {
    const ask: Run = (command) => runCommand(connection, account, command, {}, signal);
    const listed = run.readList(await ask(run.list(app)), app);
    const container = run.containerOfShell(listed, app, { mark, dyno: place?.dyno ?? null });
    if (container !== null) await ask(run.stop(app, container));
    return;
  }
  const ending = await connection.openTerminal({
    ...{ argv: argvFor(account, enter.shell(app, process, null)), wayToEnd: wayToEnd(account) },
    ...{ size: { columns: 200, rows: 50 }, signal, openWithinMs: endWithinMs },
    onOutput: () => {},
  });
  await ending.write(Buffer.from(enter.endingLine(mark, place)));
  await ending.ended;
}
