import { parseArgs } from 'node:util';
import { CommandProblem } from './command-problem.ts';
import { type Command, flagsOf, type Given, usageOf } from './commands/command.ts';
import { exitCodes } from './exit-codes.ts';

export type CommandLine =
  | { kind: 'help'; command: Command | null }
  | { kind: 'version' }
  | { kind: 'run'; command: Command; given: Given };

/** Reads a command line. No message repeats a flag's value, which may be a secret. @throws CommandProblem */
export function readCommandLine(argv: readonly string[], commands: readonly Command[]): CommandLine {
  const [first] = argv;
  if (first === undefined || first === '--help' || first === '-h' || first === 'help')
    return { kind: 'help', command: null };
  if (first === '--version' || first === '-v') return { kind: 'version' };
  const command = longestMatch(argv, commands);
  if (!command) throw usage(`There is no command ${first}.`, null);
  const options = Object.fromEntries(
    flagsOf(command).map(({ name, value, short }) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), ...(short && { short }) },
    ]),
  );
  const { values, positionals } = parsed(argv.slice(command.words.length), options, command);
  if (values.help) return { kind: 'help', command };
  return { kind: 'run', command, given: { args: argumentsOf(command, positionals), flags: values } };
}

function longestMatch(argv: readonly string[], commands: readonly Command[]): Command | undefined {
  return commands
    .filter(({ words }) => words.every((word, at) => argv[at] === word))
    .toSorted((a, b) => b.words.length - a.words.length)[0];
}

type Options = Record<string, { type: 'boolean' | 'string'; short?: string }>;

function parsed(args: string[], options: Options, command: Command) {
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    return { values: values as Given['flags'], positionals };
  } catch (error) {
    const isToken = args.some((arg) => arg.startsWith('--token'));
    // parseArgs names the flag and never its value.
    const message = isToken
      ? 'A token is never an argument: it would stand in the shell’s history.'
      : `${(error as Error).message.split('. ')[0]}.`;
    throw usage(message, command);
  }
}

function argumentsOf(command: Command, positionals: readonly string[]): Given['args'] {
  const { args = [] } = command;
  if (positionals.length > args.length) throw usage('There are too many arguments.', command);
  for (const [at, { name, orElse, oneOf }] of args.entries()) {
    const given = positionals[at];
    if (given === undefined && orElse === undefined) throw usage(`${name} is missing.`, command);
    if (given !== undefined && oneOf && !oneOf.includes(given))
      throw usage(`${name} is one of ${oneOf.join(', ')}.`, command);
  }
  return Object.fromEntries(args.map(({ name }, at) => [name, positionals[at]]));
}

const usage = (message: string, command: Command | null) =>
  new CommandProblem(exitCodes.usage, message, {
    recovery: command
      ? `Usage: homeport ${usageOf(command)}. \`homeport ${command.words.join(' ')} --help\` says more.`
      : '`homeport --help` lists the commands.',
  });
