import { type DatabaseState, databaseStates } from '@homeport/contract/databases/facts';
import type { ExposedPort } from '@homeport/contract/databases/schema';
import { z } from 'zod';
import type { Outcome } from '../command.ts';
import { linesOf, UnreadableOutputError } from '../output.ts';
import { withoutSecrets } from './without-secrets.ts';

/** A service as `<type>:info` tells of it. */
export type ServiceInfo = {
  /** Docker’s own word: `exited` for a crashed service and for a paused one, whose container the plugin stops. */
  readonly state: DatabaseState;
  /** The connection string: a secret. */
  readonly dsn: string;
  readonly ports: readonly ExposedPort[];
  /** The apps that it is linked to. */
  readonly links: readonly string[];
  /** The tag of the image that the container runs; null where the container is missing. */
  readonly imageVersion: string | null;
  /** The whole id of its container; null where the container is missing. */
  readonly containerId: string | null;
};

/** Reads the block of `info`. @throws UnreadableOutputError whose output holds no secret */
export function readInfo(outcome: Outcome): ServiceInfo {
  const values = new Map<string, string>();
  for (const line of linesOf(outcome.stdout)) {
    const at = line.indexOf(':');
    if (at > 0 && line.startsWith('  ')) values.set(line.slice(0, at).trim(), line.slice(at + 1).trim());
  }
  const [dsn, state] = [values.get('Dsn'), values.get('Status')];
  if (!dsn || state === undefined) throw unreadable('info', outcome);
  return {
    state: readState(state),
    dsn,
    ports: readPorts(values.get('Exposed ports') ?? ''),
    links: wordsOf(values.get('Links') ?? ''),
    imageVersion: versionOfImage(values.get('Version') ?? ''),
    containerId: /^[0-9a-f]{64}$/.exec(values.get('Id') ?? '')?.[0] ?? null,
  };
}

/** @throws UnreadableOutputError whose output holds no secret */
export function readDsn(outcome: Outcome): string {
  const [line = '', ...more] = linesOf(outcome.stdout);
  if (!line.includes('://') || more.length > 0) throw unreadable('info --dsn', outcome);
  return line.trim();
}

/** Null where the service has no container yet. */
export const readId = (outcome: Outcome): string | null =>
  /^[0-9a-f]{64}$/.exec(outcome.stdout.slice(0, 100).trim())?.[0] ?? null;

const unreadable = (command: string, { stdout }: Outcome) =>
  new UnreadableOutputError(command, withoutSecrets(stdout));

/** The names of `list`. A server without services says so on stderr, which reads as an empty list. */
export function readList(outcome: Outcome): string[] {
  return linesOf(outcome.stdout).filter((line) => line !== '' && !line.startsWith('=====>'));
}

/** The names of `links`. */
export function readLinks(outcome: Outcome): string[] {
  return linesOf(outcome.stdout).filter((line) => line !== '');
}

/** The pairs in `5432->127.0.0.1:20432 ` or `5432->[fd00::5]:20432 `. Empty for `-`. A word that is no port is left out: `expose` takes any word. */
export function readPorts(text: string): ExposedPort[] {
  return wordsOf(text).flatMap((pair) => {
    const [container = '', host = '', ...rest] = pair.split('->');
    const colon = host.lastIndexOf(':');
    const [containerPort, hostPort] = [portOf(container), portOf(host.slice(colon + 1))];
    if (containerPort === null || hostPort === null || rest.length > 0) return [];
    const address = colon < 0 ? '' : host.slice(0, colon).replace(/^\[(.*)\]$/, '$1');
    return [{ containerPort, address: everywhere.has(address) ? null : address, hostPort }];
  });
}

const everywhere = new Set(['', '0.0.0.0', '::']);

function portOf(text: string): number | null {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port > 0 && port < 65_536 ? port : null;
}

const wordsOf = (text: string) => text.split(' ').filter((word) => word !== '' && word !== '-');

/** Docker has words for states that pass within seconds (`dead`, `removing`). */
const readState = (word: string) => stateSchema.parse(word);
const stateSchema = z.enum(databaseStates).catch('unknown');

/** `18.4` of `postgres:18.4`, also where the image's name holds a registry with a port. */
export function versionOfImage(image: string): string | null {
  const [named = ''] = image.split('@');
  const [tag = '', ...before] = named.split(':').reverse();
  return before.length > 0 && tag !== '' && !tag.includes('/') ? tag : null;
}
