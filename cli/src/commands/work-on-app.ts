import { z } from 'zod';
import { CommandProblem } from '../command-problem.ts';
import { callOnServer, closeConnection, type OwnConsole } from '../connections/connect.ts';
import { askConsole, noSense } from '../console/ask-console.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { oneLine } from '../output/safe-text.ts';
import type { Run } from './command.ts';
import { watchToEnd } from './watch-operation.ts';

const begunShape = z.object({ id: z.string() });

export interface Work {
  console: OwnConsole;
  serverId: string;
  /** The route, to which `body` is posted. */
  path: string;
  body?: object;
  /** Prints the log as well as the steps. */
  withLog?: boolean;
  timeout?: AbortSignal | null;
  /** Ends as soon as the work has begun. */
  noWait?: boolean;
}

/** Begins work on an app over a connection for which the person's SSH agent signs, and follows it to its end. */
export async function workOnApp(
  run: Run,
  { console, serverId, path, body, withLog = false, timeout = null, noWait = false }: Work,
): Promise<ExitCode> {
  const question = { method: 'POST', path, ...(body && { body: JSON.stringify(body) }) } as const;
  let needed = false;
  try {
    const begun = await callOnServer(run, { console, serverId }, () => {
      // Until the work is over, it needs the connection. Without an answer, it may have begun.
      needed = true;
      return askConsole(console, question).catch((error: unknown) => {
        needed = !(error instanceof CommandProblem && error.code !== undefined);
        throw error;
      });
    });
    const operation = begunShape.safeParse(JSON.parse(begun));
    if (!operation.success) throw noSense();
    const { id } = operation.data;
    if (noWait) {
      if (run.json) await printJson(run.terminal, begun);
      else await run.terminal.out(`Begun\t${oneLine(id)}\n`);
      return exitCodes.good;
    }
    const { exit, over } = await watchToEnd(run, { console, id, timeout, withLog });
    needed = !over;
    return exit;
  } finally {
    if (!needed) await closeConnection(console, serverId);
  }
}
