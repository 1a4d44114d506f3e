import { safeJson } from '@homeport/contract/fields/safe-json';
import { readCommandLine } from './command-line.ts';
import { CommandProblem } from './command-problem.ts';
import type { Command } from './commands/command.ts';
import { commands } from './commands/table.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { helpOf, helpText } from './help.ts';
import { printJson } from './output/print.ts';
import { oneLine } from './output/safe-text.ts';
import { chooseConsole } from './sign-in/choose-console.ts';
import type { Terminal } from './terminal.ts';
import { version } from './version.ts';

/** Runs one command line to its end. */
export async function runCommand(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    const line = readCommandLine(argv, commands);
    if (line.kind === 'version') await terminal.out(`${version}\n`);
    else if (line.kind === 'help')
      await terminal.out(line.command ? helpOf(line.command) : helpText(commands));
    else {
      const { command, given } = line;
      const plainHttp = given.flags['plain-http'] === true;
      const ran = command.run({
        ...given,
        terminal,
        json: given.flags.json === true,
        signIn: (as = 'terminal') => chooseConsole(terminal, { plainHttp, as }),
      });
      return await Promise.race([ran, endOfReader(terminal, command)]);
    }
    return exitCodes.good;
  } catch (error) {
    if (!(error instanceof CommandProblem)) throw error;
    await tellProblem(error, terminal, argv.includes('--json'));
    return error.exit;
  }
}

/** Ends a command whose output nobody reads any more. What it began on the console goes on. */
function endOfReader({ readerGone }: Terminal, { endsWithReader }: Command): Promise<ExitCode> {
  const end = endsWithReader ? exitCodes.good : exitCodes.failed;
  return new Promise((resolve) => {
    if (readerGone.aborted) resolve(end);
    else readerGone.addEventListener('abort', () => resolve(end), { once: true });
  });
}

/** For programs the api's own problem, unchanged; for people its message, then the way out. */
async function tellProblem(problem: CommandProblem, terminal: Terminal, json: boolean): Promise<void> {
  const { message, recovery, answer } = problem;
  if (!json) await terminal.err(`${oneLine(`${message} ${recovery}`.trim())}\n`);
  else if (answer !== undefined) await terminal.err(`${safeJson(answer.trimEnd())}\n`);
  else await printJson({ out: terminal.err }, JSON.stringify({ message, recovery }));
}
