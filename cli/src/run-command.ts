import { readCommandLine } from './command-line.ts';
import { CommandProblem } from './command-problem.ts';
import { commands } from './commands/table.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import { helpOf, helpText } from './help.ts';
import { printJson } from './output/print.ts';
import { oneLine, safeJson } from './output/safe-text.ts';
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
      return await command.run({
        ...given,
        terminal,
        json: given.flags.json === true,
        signIn: () => chooseConsole(terminal, plainHttp),
      });
    }
    return exitCodes.good;
  } catch (error) {
    if (!(error instanceof CommandProblem)) throw error;
    await tellProblem(error, terminal, argv.includes('--json'));
    return error.exit;
  }
}

/** For programs the api's own problem, unchanged; for people its message, then the way out. */
async function tellProblem(problem: CommandProblem, terminal: Terminal, json: boolean): Promise<void> {
  const { message, recovery, answer } = problem;
  if (!json) await terminal.err(`${oneLine(`${message} ${recovery}`.trim())}\n`);
  else if (answer !== undefined) await terminal.err(`${safeJson(answer.trimEnd())}\n`);
  else await printJson({ out: terminal.err }, JSON.stringify({ message, recovery }));
}
