import type { Call } from '../../machine/call.ts';
import type { App } from '../../machine/state.ts';
import type { ServiceKind } from '../../services/kinds.ts';
import { type Service, serviceOf } from '../../services/service.ts';

/** A verb of the service plugins, which all share: `postgres:create` is `create` for the kind postgres. */
export type ServiceVerb = (call: Call, kind: ServiceKind) => Promise<void> | void;

/** The service that a word names. Fails like the plugins for a missing word or a missing service. */
export function requireService(call: Call, kind: ServiceKind, name: string | undefined): Service {
  if (!name) call.fail('Please specify a valid name for the service');
  return serviceOf(call.state.paths, kind, name) ?? call.fail(`${kind.title} service ${name} does not exist`);
}

export function requireApp(call: Call, name: string | undefined): App {
  if (!name || name.startsWith('-')) call.fail('Please specify an app to run the command on');
  return call.app(name);
}

/** The words after the name and the app, by their long flags. As the plugins' parser, it passes over words that are no flags. */
export function flagsIn(words: readonly string[]): ReadonlyMap<string, string> {
  const flags = new Map<string, string>();
  for (const [at, word] of words.entries()) {
    const name = short[word] ?? word;
    if (name === '--no-restart') flags.set(name, 'true');
    else if (withValue.has(name)) flags.set(name, words[at + 1] ?? '');
  }
  return flags;
}

const short: Readonly<Record<string, string>> = {
  '-a': '--alias',
  '-I': '--image-version',
  '-m': '--memory',
  '-n': '--no-restart',
  '-p': '--password',
};
const withValue = new Set(['--alias', '--image-version', '--memory', '--password']);

/** `config_all`: a line for each variable, in which the plugins search by text. */
export const configLines = (app: App): { key: string; line: string }[] =>
  Object.entries(app.config)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => ({ key, line: `${key}:  ${value}` }));

const colours =
  'AQUA BLACK BLUE FUCHSIA GRAY GREEN LIME MAROON NAVY OLIVE PURPLE RED SILVER TEAL WHITE YELLOW';

/** The first colour that no line names; undefined: all are taken. */
export function freeAlias({ type }: ServiceKind, lines: readonly { line: string }[]): string | undefined {
  return colours
    .split(' ')
    .map((colour) => `DOKKU_${type.toUpperCase()}_${colour}`)
    .find((alias) => !lines.some(({ line }) => line.includes(`${alias}_URL`)));
}
