import { parseArgs } from 'node:util';
import { ConfigError } from './environment.ts';
import { type Setting, type SettingName, settings } from './settings.ts';

type Env = Record<string, string | undefined>;

/** The command of a command line. `env` is the environment, in which flags replace their variables. */
export type Command =
  | { kind: 'help' }
  | { kind: 'version'; json?: boolean }
  | { kind: 'start'; env: Env }
  | OwnerCommand
  | ArchiveCommand;

/** Makes a link by which the owner sets a new password. */
export type OwnerCommand = { kind: 'owner-reset-link'; env: Env; endsSecondStep: boolean };

/** A command on backups of the console. */
export type ArchiveCommand = { env: Env; file: string } & (
  | { kind: 'backup'; recipients: readonly string[]; plain: boolean }
  | { kind: 'backup-verify'; identity: string | undefined }
  | { kind: 'backup-key' }
  | { kind: 'restore'; identity: string | undefined; keepTokens: boolean }
);

export type FlagSetting = [name: SettingName, setting: Setting & { flag: string }];

export const flagSettings = (Object.entries(settings) as [SettingName, Setting][]).filter(
  (entry): entry is FlagSetting => entry[1].flag !== undefined,
);

/** Reads the command line. A flag wins over its variable. Throws `ConfigError`. */
export function readArguments(argv: string[], env: Env): Command {
  if (argv[0] === 'backup' || argv[0] === 'restore') return readArchiveCommand(argv, env);
  if (argv[0] === 'version') return readVersionCommand(argv);
  if (argv[0] === 'owner') return readOwnerCommand(argv, env);
  const values = parse(argv);
  if (values.help) return { kind: 'help' };
  if (values.version) return { kind: 'version' };
  return { kind: 'start', env: withFlags(env, values) };
}

type Values = Record<string, string | boolean | undefined>;

function withFlags(env: Env, values: Values): Env {
  const flags = flagSettings.flatMap(([name, { flag }]) =>
    values[flag] === undefined ? [] : [[name, String(values[flag])]],
  );
  return { ...env, ...Object.fromEntries(flags) };
}

function readVersionCommand([, ...argv]: string[]): Command {
  const { values } = parsed(() => parseArgs({ args: argv, options: { json: { type: 'boolean' } } }));
  return { kind: 'version', json: values.json === true };
}

/** The link leads to the console's address, so the flags of its start are taken too. */
function readOwnerCommand([, verb, ...argv]: string[], env: Env): Command {
  if (verb === '--help' || verb === '-h') return { kind: 'help' };
  if (verb !== 'reset-link')
    throw new ConfigError('owner knows one command: owner reset-link. --help lists the commands.');
  const { values } = parsed(() =>
    parseArgs({
      args: argv,
      options: {
        ...startOptions,
        'without-second-step': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }),
  );
  if (values.help) return { kind: 'help' };
  return {
    kind: 'owner-reset-link',
    env: withFlags(env, values as Values),
    endsSecondStep: values['without-second-step'] === true,
  };
}

/** The commands, for `--help`. */
export const commandUsage = [
  ['backup FILE', 'Backs the console up while it runs. “-” writes to standard output.'],
  ['backup verify FILE', 'Reads a backup to its end and compares every part with what was saved.'],
  [
    'backup key FILE',
    'Makes a pair of keys for backups: the private one into FILE, the public one is printed.',
  ],
  ['restore FILE', 'Restores a backup into an empty console.'],
  ['version --json', 'Prints the versions of Homeport, Node, PostgreSQL and the schema, for programs.'],
  [
    'owner reset-link',
    'Prints a link by which a locked-out owner sets a new password. It works once, for an hour.',
  ],
] as const;

/** Each command takes those that it needs. */
export const commandFlags = [
  ['--recipient age1…', 'backup: encrypts for this public key of age. May be given several times.'],
  ['--plain', 'backup: does not encrypt.'],
  ['--identity FILE', 'verify, restore: the private key that opens the backup.'],
  ['--keep-tokens', 'restore: API tokens go on working. Otherwise all of them are revoked.'],
  ['--without-second-step', 'owner reset-link: the link also turns the owner’s second step off.'],
  ['--data folder', 'The data folder of the console, as above.'],
] as const;

function readArchiveCommand(argv: string[], env: Env): Command {
  const { values, positionals } = parsed(() =>
    parseArgs({
      args: argv,
      allowPositionals: true,
      options: {
        recipient: { type: 'string', multiple: true },
        plain: { type: 'boolean' },
        identity: { type: 'string' },
        'keep-tokens': { type: 'boolean' },
        data: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }),
  );
  if (values.help) return { kind: 'help' };
  const { recipient, plain, identity, 'keep-tokens': keepTokens, data } = values;
  const [verb, second, third] = positionals;
  const word = verb === 'backup' && (second === 'verify' || second === 'key') ? second : undefined;
  const [name, file, rest] = word
    ? [`backup ${word}`, third, positionals.slice(3)]
    : [verb, second, positionals.slice(2)];
  if (file === undefined)
    throw new ConfigError(`${name} needs the name of a file. --help lists the commands.`);
  if (rest.length > 0) throw new ConfigError(`${name} takes one file. --help lists the commands.`);
  const refused = {
    '--recipient': recipient !== undefined && (name !== 'backup' || plain),
    '--plain': plain && name !== 'backup',
    '--identity': identity !== undefined && (name === 'backup' || name === 'backup key'),
    '--keep-tokens': keepTokens && name !== 'restore',
  };
  for (const [flag, isRefused] of Object.entries(refused))
    if (isRefused)
      throw new ConfigError(
        `${flag} does not go with ${plain ? '--plain' : name}. --help lists the commands.`,
      );
  const common = { env: data === undefined ? env : { ...env, HOMEPORT_DATA: data }, file };
  if (word === 'verify') return { ...common, kind: 'backup-verify', identity };
  if (word === 'key') return { ...common, kind: 'backup-key' };
  if (name === 'backup')
    return { ...common, kind: 'backup', recipients: recipient ?? [], plain: plain ?? false };
  return { ...common, kind: 'restore', identity, keepTokens: keepTokens ?? false };
}

const startOptions = Object.fromEntries(
  flagSettings.map(([, { flag, isSwitch }]) => [
    flag,
    { type: isSwitch ? ('boolean' as const) : ('string' as const) },
  ]),
);

function parse(argv: string[]): Values {
  const { values } = parsed(() =>
    parseArgs({
      args: argv,
      options: {
        ...startOptions,
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    }),
  );
  return values as Values;
}

function parsed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new ConfigError(`${(error as Error).message.split('. ')[0]}. --help lists the options.`);
  }
}
