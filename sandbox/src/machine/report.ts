import { type Call, Exit } from './call.ts';
import type { App } from './state.ts';

export type ReportEntry = {
  /** `--app-created-at` */
  readonly flag: string;
  readonly label: string;
  readonly value: string;
};

export type ReportOptions = {
  /** `apps` in `=====> hello app information` is `app`. */
  readonly heading: string;
  /** The Go plugins of Dokku 0.38 print each key twice: short, and with this prefix. */
  readonly prefix: string;
  readonly bothKeys: boolean;
  /** Older plugins print their keys in their own order. The others sort them. */
  readonly inOrder?: boolean;
  readonly entries: (app: App) => readonly ReportEntry[];
  /** The entries of `--global`, if the plugin has that flag. */
  readonly globalEntries?: () => readonly ReportEntry[];
};

/** The form that all `:report` commands share, with its traps: two flags print nothing, and `--format=json` is refused. */
export function report(call: Call, options: ReportOptions): void {
  const words = call.words.filter((word) => word !== '--quiet' && word !== '--force');
  const global = words.includes('--global') && options.globalEntries !== undefined;
  const name = words.find((word, at) => !word.startsWith('--') && words[at - 1] !== '--format');
  const rest = words.filter((word) => word !== name && word !== '--global');
  if (global) {
    const entries = options.globalEntries?.() ?? [];
    one(call, options, '--global', entries, rest);
    return;
  }
  const apps = name === undefined ? call.state.appNames() : [name];
  if (apps.length === 0) call.warn("You haven't deployed any applications yet");
  for (const app of apps) one(call, options, app, options.entries(call.app(app)), rest);
}

function one(
  call: Call,
  options: ReportOptions,
  name: string,
  entries: readonly ReportEntry[],
  rest: string[],
): void {
  const format = rest.indexOf('--format');
  if (format >= 0) {
    if (rest[format + 1] !== 'json') call.fail(invalidFlags(entries));
    call.out(asJson(options, entries));
    return;
  }
  if (rest.length > 1) return;
  const [flag] = rest;
  if (flag === undefined) {
    asText(call, options, name, entries);
    return;
  }
  const entry = entries.find((candidate) => candidate.flag === flag);
  if (!entry) {
    call.warn(invalidFlags(entries));
    throw new Exit(1);
  }
  call.out(entry.value);
}

function asJson(options: ReportOptions, entries: readonly ReportEntry[]): string {
  const keys = entries.flatMap(({ flag, value }) => {
    const long = flag.slice(2);
    const short = long.startsWith(`${options.prefix}-`) ? long.slice(options.prefix.length + 1) : long;
    return options.bothKeys ? [[long, value] as const, [short, value] as const] : [[short, value] as const];
  });
  const told = options.inOrder ? keys : keys.sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(Object.fromEntries(told));
}

function asText(call: Call, options: ReportOptions, name: string, entries: readonly ReportEntry[]): void {
  call.out(`=====> ${name} ${options.heading} information`);
  const width = Math.max(31, ...entries.map((entry) => entry.label.length + 2));
  for (const { label, value } of entries) call.out(`       ${`${label}:`.padEnd(width)}${value}`);
}

function invalidFlags(entries: readonly ReportEntry[]): string {
  return `Invalid flag passed, valid flags: ${entries.map((entry) => entry.flag).join(', ')}`;
}
