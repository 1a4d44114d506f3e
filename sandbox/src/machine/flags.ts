import { type Call, Exit } from './call.ts';

export type FlagRule = { readonly value: boolean; readonly short?: string };

/**
 * Reads the words of a command like the Go plugins (pflag): flags stand anywhere, as `--name value` or `--name=value`, and
 * everything after `--` is a plain word. After an unknown flag the command prints the usage and ends with 2.
 */
export function readFlags(call: Call, rules: Record<string, FlagRule>, usage = '') {
  const flags = new Map<string, string>();
  const plain: string[] = [];
  const words = [...call.words];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '--') {
      plain.push(...words.splice(0));
    } else if (word.startsWith('--')) {
      const [name = '', inline] = word.slice(2).split(/=(.*)/s, 2);
      if (name === 'force' || name === 'quiet') continue;
      take(call, flags, words, usage, rules[name], name, inline, `unknown flag: --${name}`);
    } else if (/^-[^-0-9]/.test(word)) {
      const letter = word.charAt(1);
      const entry = Object.entries(rules).find(([, rule]) => rule.short === letter);
      const unknown = `unknown shorthand flag: '${letter}' in ${word}`;
      take(call, flags, words, usage, entry?.[1], entry?.[0] ?? '', undefined, unknown);
    } else plain.push(word);
  }
  return { flags, plain };
}

function take(
  call: Call,
  flags: Map<string, string>,
  words: string[],
  usage: string,
  rule: FlagRule | undefined,
  name: string,
  inline: string | undefined,
  unknown: string,
): void {
  if (!rule) usageError(call, unknown, usage);
  else if (!rule.value) flags.set(name, 'true');
  else {
    const value = inline ?? words.shift();
    if (value === undefined) usageError(call, `flag needs an argument: --${name}`, usage);
    flags.set(name, value);
  }
}

export function usageError(call: Call, text: string, usage = ''): never {
  call.err(`Usage of ${call.command}:${usage === '' ? '' : `\n${usage}`}`);
  call.err(text);
  throw new Exit(2);
}
