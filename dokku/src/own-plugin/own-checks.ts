import { ownCheckCharacters, ownChecksShown } from '@homeport/contract/apps/checks/facts';
import type { AppChecks, OwnCheck } from '@homeport/contract/apps/checks/schema';
import { z } from 'zod';
import { type Command, dokku, type Outcome } from '../command.ts';
import type { AppName } from '../names/app-name.ts';
import { oneLine } from '../output.ts';
import { fromJsonc } from './from-jsonc.ts';
import { readTold, those } from './lines.ts';

/** The app.json of the last deploy, and whether a CHECKS file lies beside it. Since plugin 1.13. */
export function ownChecks(app: AppName): Command {
  return dokku('homeport:checks', app);
}

export type OwnChecks = Pick<AppChecks, 'manifest' | 'checksFile'> & {
  /** By type of process. */
  readonly checks: ReadonlyMap<string, { readonly own: OwnCheck[]; readonly more: number }>;
};

const toldSchema = z.object({
  checksOf: z.string(),
  there: z.boolean(),
  manifest: z.base64().nullable(),
  checksFile: z.boolean(),
});

export const noOwnChecks: OwnChecks = { manifest: 'unknown', checksFile: false, checks: new Map() };

/** @throws UnreadableOutputError */
export function readOwnChecks(outcome: Outcome): OwnChecks {
  const [told] = those(readTold('homeport:checks', outcome.stdout).values, toldSchema);
  if (!told) return noOwnChecks;
  const { there, manifest, checksFile } = told;
  if (!there) return { ...noOwnChecks, manifest: 'none', checksFile };
  const checks = manifest === null ? null : checksIn(Buffer.from(manifest, 'base64').toString('utf8'));
  return checks === null
    ? { ...noOwnChecks, manifest: 'unreadable', checksFile }
    : { manifest: 'read', checksFile, checks };
}

function checksIn(text: string): OwnChecks['checks'] | null {
  // Dokku takes an empty file for one that says nothing.
  const read = manifestSchema.safeParse(text.trim() === '' ? {} : fromJsonc(text));
  if (!read.success) return null;
  return new Map(
    Object.entries(read.data.healthchecks ?? {}).map(([type, all]) => [
      type,
      {
        own: (all ?? []).slice(0, ownChecksShown).map(ownCheckOf),
        more: Math.max(0, (all?.length ?? 0) - ownChecksShown),
      },
    ]),
  );
}

const text = z.string().nullish();
const whole = z.number().int().nullish();
const checkSchema = z.object({
  ...{ name: text, type: text, path: text, content: text },
  ...{ port: whole, uptime: whole, initialDelay: whole, attempts: whole, wait: whole, timeout: whole },
  command: z.array(z.string()).nullish(),
  listening: z.boolean().nullish(),
  warn: z.boolean().nullish(),
});
type Check = z.output<typeof checkSchema>;
const manifestSchema = z.object({
  healthchecks: z.record(z.string(), z.array(checkSchema).nullable()).nullish(),
});

/** As docker-container-healthchecker 0.16 takes it: a number of 0 or less stands for its own one. */
function ownCheckOf(check: Check): OwnCheck {
  const kind = kindOf(check);
  const above = (value: number | null | undefined, otherwise: number) =>
    value && value > 0 ? value : otherwise;
  return {
    ...{ name: shown(check.name), kind, use: useOf(check), asks: asksOf(kind, check) },
    content: kind === 'path' ? shown(check.content) : null,
    port: check.port || null,
    uptimeSeconds: kind === 'uptime' ? above(check.uptime, 0) : null,
    delaySeconds: above(check.initialDelay, 0),
    attempts: above(check.attempts, 3),
    waitSeconds: above(check.wait, 5),
    timeoutSeconds: above(check.timeout, 5),
    warns: check.warn === true,
  };
}

function kindOf({ listening, command, path }: Check): OwnCheck['kind'] {
  if (listening) return 'listening';
  if (command && command.length > 0) return 'command';
  return path ? 'path' : 'uptime';
}

function asksOf(kind: OwnCheck['kind'], { path, command }: Check): string | null {
  if (kind === 'path') return shown(path);
  return kind === 'command' ? shown((command ?? []).join(' ')) : null;
}

function useOf({ type, command, path, uptime, listening }: Check): OwnCheck['use'] {
  if (!type) return 'untyped';
  if (type !== 'startup') return 'otherType';
  const named = [command && command.length > 0, path, (uptime ?? 0) > 0, listening].filter(Boolean);
  return named.length > 1 ? 'contradicts' : 'runs';
}

/** The repository’s own text, on one line. */
const shown = (value: string | null | undefined) => (value ? oneLine(value, ownCheckCharacters) : null);
