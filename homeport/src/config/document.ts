import { commandFlags, commandUsage, flagSettings } from './arguments.ts';
import { shareTable } from './document-shares.ts';
import { valueRules } from './environment.ts';
import { type Setting, settings } from './settings.ts';

/** The text of `--help`, kept as `homeport/help.txt` so that `npm start` can print it before anything is installed. */
export function helpText(command = 'npm start --'): string {
  const more = ' '.repeat('Usage: '.length);
  const flags: [string, string][] = [
    ...flagSettings.map(([, { flag, isSwitch, value, purpose, byDefault }]): [string, string] =>
      isSwitch ? [`--${flag}`, purpose] : [`--${flag} ${value}`, `${purpose} Default: ${byDefault}.`],
    ),
    ['--help', 'Prints this.'],
    ['--version', 'Prints the version.'],
  ];
  return [
    `Usage: ${command} [options]`,
    `${more}${command} backup FILE, backup verify FILE, backup key FILE, restore FILE`,
    `${more}${command} version --json, owner reset-link`,
    '',
    'Starts Homeport: page, api, monitor and proxy service on an embedded PostgreSQL.',
    '',
    'Options',
    ...flags.map(([flag, purpose]) => hanging(flag, purpose)),
    '',
    'Commands',
    ...commandUsage.map(([command, purpose]) => hanging(command, purpose)),
    '',
    'Options of these commands',
    ...commandFlags.map(([flag, purpose]) => hanging(flag, purpose)),
    '',
    'Environment variables (a flag wins over its variable; NAME_FILE names a file with the value of a secret NAME)',
    ...Object.entries<Setting>(settings).map(([name, setting]) => hanging(name, purposeOf(setting))),
    '',
    'docs/configuration.md says more about each.',
    '',
  ].join('\n');
}

const purposeOf = ({ purpose, isSecret }: Setting) => (isSecret ? `${purpose} Secret.` : purpose);

const indent = 34;
const width = 110;

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

/** Kept as `homeport/settings.json`, so that `npm start` refuses a wrong setting before anything is installed or built. */
export const rulesOfSettings = (): string => `${JSON.stringify(valueRules(), null, 2)}\n`;

/** docs/configuration.md. */
export function configurationPage(): string {
  const rows = Object.entries<Setting>(settings).map(
    ([name, setting]) =>
      `| \`${name}\` | ${setting.flag ? `\`--${setting.flag}\`` : ''} | ${setting.value} | ${setting.byDefault} | ${purposeOf(setting)} |`,
  );
  return [
    '# Configuration',
    '',
    '<!-- Made from homeport/src/config/settings.ts by `npx tsx scripts/document-settings.ts`. -->',
    '',
    'Homeport runs without any setting. Each setting is an environment variable; some have a flag, which wins. An unusable',
    'value stops the start with a message that names the setting. So does a `HOMEPORT_` variable that does not exist.',
    '',
    'The value of a secret setting may also stand in a file, whose path the variable with `_FILE` behind its name holds:',
    '`HOMEPORT_SECRET_FILE=/run/secrets/homeport`. A line break at the end of the file does not count.',
    '',
    '| Variable | Flag | Value | Default | What it does |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
    '',
    '## Shares',
    '',
    'What one rule, domain, account, visitor or website may take, so that something is left for everybody else. Where a setting is named, it',
    'changes the number.',
    '',
    ...shareTable(),
    '',
  ].join('\n');
}
