import {
  ownCheckCharacters,
  ownChecksRead,
  ownChecksShown,
  portsAtMost,
} from '@homeport/contract/apps/checks/facts';
import type { AppChecks, OwnCheck } from '@homeport/contract/apps/checks/schema';
import { z } from 'zod';
import { type Command, dokku, type Outcome } from '../command.ts';
import type { AppName } from '../names/app-name.ts';
import { oneLine } from '../output.ts';
import { fromJsonc } from './from-jsonc.ts';
import { linesOfOne, readTold } from './lines.ts';

/** The checks of the app.json of the last deploy, and whether a CHECKS file lies beside it. Since plugin 1.13. */
export function ownChecks(app: AppName): Command {
  return dokku('homeport:checks', app);
}

export type OwnChecks = Pick<AppChecks, 'manifest' | 'checksFile'> & {
  /** By type of process. */
  readonly checks: ReadonlyMap<string, { readonly own: OwnCheck[]; readonly more: number }>;
};

/** 32 KiB, which is the bound of the plugin, in base64. */
const base64AtMost = 4 * Math.ceil((32 * 1024) / 3);

const toldSchema = z.object({
  checksOf: z.string(),
  there: z.boolean(),
  manifest: z.string().max(base64AtMost).nullable(),
  checksFile: z.boolean(),
});

export const noOwnChecks: OwnChecks = { manifest: 'unknown', checksFile: false, checks: new Map() };

/** @throws UnreadableOutputError */
export function readOwnChecks(outcome: Outcome, app: AppName): OwnChecks {
  const { values } = readTold('homeport:checks', outcome.stdout, linesOfOne);
  // A server may send thousands of other lines, and each that the schema refuses would cost a list of reasons.
  const line = [...values].find((value) => isObject(value) && value.checksOf === app);
  const told = toldSchema.safeParse(line);
  if (!told.success) return noOwnChecks;
  const { there, manifest, checksFile } = told.data;
  if (!there) return { ...noOwnChecks, manifest: 'none', checksFile };
  const checks = manifest === null ? null : checksIn(Buffer.from(manifest, 'base64').toString('utf8'));
  return checks === null
    ? { ...noOwnChecks, manifest: 'unreadable', checksFile }
    : { manifest: 'read', checksFile, checks };
}

/**
 * Null: Dokku would not take the text either, or it has too many checks. Of two members of the very same name only the last is seen,
 * where Dokku joins them.
 */
function checksIn(text: string): OwnChecks['checks'] | null {
  // Dokku takes an empty file for one that says nothing.
  const manifest = text.trim() === '' ? {} : fromJsonc(text);
  if (!isObject(manifest)) return null;
  const found = new Map<string, OwnCheck[]>();
  let left = ownChecksRead;
  for (const [key, types] of Object.entries(manifest)) {
    if (folded(key) !== 'healthchecks') continue;
    if (types === null) found.clear();
    else if (!isObject(types)) return null;
    for (const [type, all] of Object.entries(types ?? {})) {
      const list = all ?? [];
      if (!Array.isArray(list) || list.length > left) return null;
      left -= list.length;
      const checks = readAll(list);
      if (checks === null) return null;
      found.set(type, checks);
    }
  }
  return new Map([...found].map(([type, checks]) => [type, shownOf(checks)]));
}

/** Those that count for a deploy come first, so that no bound hides one behind others that count for nothing. */
function shownOf(checks: OwnCheck[]): { own: OwnCheck[]; more: number } {
  const counts = ({ use }: OwnCheck) => use !== 'untyped' && use !== 'otherType';
  const sorted = [...checks.filter(counts), ...checks.filter((check) => !counts(check))];
  return { own: sorted.slice(0, ownChecksShown), more: Math.max(0, sorted.length - ownChecksShown) };
}

/** Null where one is no check. The first such ends it. */
function readAll(list: readonly unknown[]): OwnCheck[] | null {
  const checks: OwnCheck[] = [];
  for (const value of list) {
    // Go takes null for a value that says nothing.
    const read = checkSchema.safeParse(withFoldedKeys(value ?? {}));
    if (!read.success) return null;
    checks.push(ownCheckOf(read.data));
  }
  return checks;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Go takes the name of a member in any case, as Unicode folds it: U+017F is an s. U+212A is a k in JavaScript as well. */
const folded = (key: string) => key.toLowerCase().replaceAll('\u017f', 's');

/** The last of two members of one name holds, as with Go. */
const withFoldedKeys = (value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, at]) => [folded(key), at])) : value;

const text = z.string().nullish();
const whole = z.number().int().nullish();
/** One reason for a whole list: a hostile one has thousands of elements. */
const words = z
  .custom<readonly (string | null)[] | null | undefined>(
    (value) =>
      value === undefined ||
      value === null ||
      (Array.isArray(value) && value.every((word) => typeof word === 'string' || word === null)),
  )
  .optional();
const checkSchema = z.object({
  ...{ name: text, type: text, path: text, content: text, scheme: text },
  ...{ port: whole, uptime: whole, initialdelay: whole, attempts: whole, wait: whole, timeout: whole },
  command: words,
  httpheaders: z.array(z.unknown()).nullish(),
  listening: z.boolean().nullish(),
  warn: z.boolean().nullish(),
  onfailure: z.preprocess(withFoldedKeys, z.object({ command: words, url: text }).nullish()),
});
type Check = z.output<typeof checkSchema>;

/** As docker-container-healthchecker 0.16 takes it: a number of 0 or less stands for its own one. */
function ownCheckOf(check: Check): OwnCheck {
  const kind = kindOf(check);
  const above = (value: number | null | undefined, otherwise: number) =>
    value && value > 0 ? value : otherwise;
  return {
    ...{ name: shown(check.name), kind, use: useOf(kind, check), asks: asksOf(kind, check) },
    content: kind === 'path' ? shown(check.content) : null,
    https: kind === 'path' && schemeOf(check) === 'https',
    headers: kind === 'path' && (check.httpheaders ?? []).length > 0,
    port: check.port || null,
    uptimeSeconds: kind === 'uptime' ? above(check.uptime, 0) : null,
    delaySeconds: above(check.initialdelay, 0),
    attempts: above(check.attempts, 3),
    waitSeconds: above(check.wait, 5),
    timeoutSeconds: above(check.timeout, 5),
    warns: check.warn === true,
    onFailure: onFailureOf(check),
  };
}

function kindOf({ listening, command, path }: Check): OwnCheck['kind'] {
  if (listening) return 'listening';
  if (command && command.length > 0) return 'command';
  return path ? 'path' : 'uptime';
}

function asksOf(kind: OwnCheck['kind'], { path, command }: Check): string | null {
  if (kind === 'path') return shown(path);
  return kind === 'command' ? shown((command ?? []).map((word) => word ?? '').join(' ')) : null;
}

function useOf(kind: OwnCheck['kind'], check: Check): OwnCheck['use'] {
  const { type, command, path, uptime, listening, port } = check;
  if (!type) return 'untyped';
  if (type !== 'startup') return 'otherType';
  const named = [command && command.length > 0, path, (uptime ?? 0) > 0, listening].filter(Boolean);
  if (named.length > 1) return 'contradicts';
  const noPort = (kind === 'path' || kind === 'listening') && ((port ?? 0) < 0 || (port ?? 0) > portsAtMost);
  const noScheme = kind === 'path' && !['http', 'https'].includes(schemeOf(check));
  return noPort || noScheme ? 'impossible' : 'runs';
}

const schemeOf = ({ scheme }: Check) => (scheme || 'http').toLowerCase();

function onFailureOf({ onfailure }: Check): OwnCheck['onFailure'] {
  const runs = (onfailure?.command ?? []).length > 0;
  if (onfailure?.url) return runs ? 'both' : 'url';
  return runs ? 'command' : 'none';
}

/** The repository’s own text, on one line. */
const shown = (value: string | null | undefined) => (value ? oneLine(value, ownCheckCharacters) : null);
