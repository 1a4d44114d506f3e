import { parseArgs } from 'node:util';
import { ConfigError } from './environment.ts';
import { type Setting, type SettingName, settings } from './settings.ts';

/** The command of a command line. `env` is the environment, in which flags replace their variables. */
export type Command =
  | { kind: 'help' }
  | { kind: 'version' }
  | { kind: 'start'; env: Record<string, string | undefined> };

export type FlagSetting = [name: SettingName, setting: Setting & { flag: string }];

export const flagSettings = (Object.entries(settings) as [SettingName, Setting][]).filter(
  (entry): entry is FlagSetting => entry[1].flag !== undefined,
);

/** Reads the command line. A flag wins over its variable. Throws `ConfigError`. */
export function readArguments(argv: string[], env: Record<string, string | undefined>): Command {
  const values = parse(argv);
  if (values.help) return { kind: 'help' };
  if (values.version) return { kind: 'version' };
  const flags = flagSettings.flatMap(([name, { flag }]) =>
    values[flag] === undefined ? [] : [[name, String(values[flag])]],
  );
  return { kind: 'start', env: { ...env, ...Object.fromEntries(flags) } };
}

function parse(argv: string[]): Record<string, string | boolean | undefined> {
  const options = Object.fromEntries(
    flagSettings.map(([, { flag, isSwitch }]) => [
      flag,
      { type: isSwitch ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  try {
    return parseArgs({
      args: argv,
      options: {
        ...options,
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    }).values as Record<string, string | boolean | undefined>;
  } catch (error) {
    throw new ConfigError(`${(error as Error).message.split('. ')[0]}. --help lists the options.`);
  }
}
