import { type Command, flagsOf, flagText, usageOf } from './commands/command.ts';
import { variables } from './environment.ts';

/** The text of `homeport --help`. */
export function helpText(commands: readonly Command[]): string {
  return [
    'Usage: homeport COMMAND [--json]',
    '',
    'Commands',
    ...commands.map((command) => hanging(usageOf(command), command.summary)),
    '',
    'Environment variables',
    ...Object.entries(variables).map(([name, purpose]) => hanging(name, purpose)),
    '',
    '`homeport COMMAND --help` lists its flags. docs/cli.md says more, also about exit codes.',
    '',
  ].join('\n');
}

/** The text of `homeport COMMAND --help`. */
export function helpOf(command: Command): string {
  const { args = [], summary, json } = command;
  return [
    `Usage: homeport ${usageOf(command)}`,
    '',
    summary,
    '',
    ...args.flatMap(({ name, orElse, oneOf }) => [
      ...(oneOf ? [hanging(name, `One of ${oneOf.join(', ')}.`)] : []),
      ...(orElse === undefined ? [] : [hanging(name, `Absent: ${orElse}.`)]),
    ]),
    ...flagsOf(command).map((flag) =>
      hanging(flagText(flag), flag.name === 'json' ? `Prints JSON. ${json}` : flag.purpose),
    ),
    '',
  ].join('\n');
}

const indent = 24;
const width = 100;

/** A term that is longer than its column has a line of its own. */
function hanging(term: string, text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines[lines.length - 1] ?? '';
    if (indent + line.length + word.length < width) lines[lines.length - 1] = line ? `${line} ${word}` : word;
    else lines.push(word);
  }
  const begin = term.length < indent - 2 ? term.padEnd(indent - 2) : `${term}\n${' '.repeat(indent)}`;
  return `  ${begin}${lines.join(`\n${' '.repeat(indent)}`)}`;
}
