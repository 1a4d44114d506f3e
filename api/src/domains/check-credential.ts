import { isReadOnlyZone } from '@homeport/contract/domains/facts';
import type { CloudflareZone } from '../cloudflare/answers.ts';
import { type Asker, mayChange, readUser, readZones, tryRecords, verifyToken } from '../cloudflare/calls.ts';
import {
  CloudflareFailure,
  codesOf,
  lacksPermission,
  type Refusal,
  reasonOf,
} from '../cloudflare/refusal.ts';
import { type ProblemError, wrongField } from '../http/problem.ts';
import { toUnicode } from './names.ts';

export type Checked = {
  zones: CloudflareZone[];
  more: boolean;
  /** By zone; null: Cloudflare did not say. */
  editable: Map<string, boolean | null>;
  /** What the credential may do, in words. */
  ability: string;
  expiresAt: number | null;
};

/** Zones in which a change is tried. Each costs one of the 1,200 requests that a user has in five minutes. */
const zonesTried = 50;
const namesShown = 5;

/**
 * Asks Cloudflare whether the credential lives and what it may do. Throws `invalid_input` with a message beside the field that is
 * wrong, which for a permission is the credential's.
 */
export async function checkCredential(asker: Asker, now: number): Promise<Checked> {
  const expiresAt = await proveAlive(asker, now);
  const { zones, more } = await readOrExplain(asker);
  const [first] = zones.filter(({ type }) => !isReadOnlyZone(type));
  if (first) await tryRecords(asker, first.id).catch(explain('Zone DNS Edit'));
  const editable = await tryChanges(asker, zones);
  return { zones, more, editable, ability: describeAbility(zones, more, editable), expiresAt };
}

async function proveAlive(asker: Asker, now: number): Promise<number | null> {
  const { kind } = asker.credential;
  // An account's token verifies under its account only, which the token does not name: its zones are the proof.
  if (kind === 'account_token') return null;
  if (kind === 'global_key') {
    await readUser(asker).catch(explainKey);
    return null;
  }
  const { why, expiresAt } = await verifyToken(asker, now).catch(explainToken);
  if (why === 'disabled') throw wrongField('secret', 'This token is disabled at Cloudflare.');
  if (why === 'expired') throw wrongField('secret', 'This token has expired. Make a new one at Cloudflare.');
  if (why === 'not_yet') throw wrongField('secret', 'This token is not valid yet.');
  return expiresAt;
}

async function readOrExplain(asker: Asker): Promise<{ zones: CloudflareZone[]; more: boolean }> {
  const read = await readZones(asker).catch(explain('Zone Zone Read'));
  if (read.zones.length === 0 && asker.credential.kind !== 'global_key') {
    throw wrongField(
      'secret',
      'This token lists no zones: it lacks Zone Zone Read, or no zone was chosen for it.',
    );
  }
  return read;
}

/** A change of a record that does not exist changes nothing, and its refusal says whether the credential may change records. */
async function tryChanges(
  asker: Asker,
  zones: readonly CloudflareZone[],
): Promise<Map<string, boolean | null>> {
  const editable = new Map<string, boolean | null>();
  const tried = zones.filter(({ type }) => !isReadOnlyZone(type)).slice(0, zonesTried);
  const atOnce = 4;
  for (let at = 0; at < tried.length; at += atOnce) {
    const group = tried.slice(at, at + atOnce);
    const answers = await Promise.all(group.map(({ id }) => mayChange(asker, id)));
    for (const [index, { id }] of group.entries()) editable.set(id, answers[index] ?? null);
  }
  return editable;
}

/** “12 zones readable, records editable in all but example.org.” */
export function describeAbility(
  zones: readonly Pick<CloudflareZone, 'id' | 'name'>[],
  more: boolean,
  editable: ReadonlyMap<string, boolean | null>,
): string {
  const count = `${more ? 'More than ' : ''}${zones.length.toLocaleString('en')} ${zones.length === 1 ? 'zone' : 'zones'} readable`;
  const not = zones.filter(({ id }) => editable.get(id) !== true);
  if (zones.length === 0) return 'No zones yet.';
  if (not.length === zones.length) return `${count}, records editable in none.`;
  if (not.length === 0) return `${count}, records editable in all.`;
  const untried = zones.filter(({ id }) => !editable.has(id)).length;
  if (untried > 0 && editable.size === zonesTried && not.length === untried) {
    return `${count}, records editable in all of the ${zonesTried} that were tried.`;
  }
  const names = not.slice(0, namesShown).map(({ name }) => toUnicode(name));
  const others = not.length - names.length;
  return `${count}, records editable in all but ${names.join(', ')}${others > 0 ? ` and ${others} more` : ''}.`;
}

function explain(permission: string) {
  return (error: unknown): never => {
    if (isRefused(error) && lacksPermission(error.failure)) {
      throw wrongField('secret', `This credential lacks the permission ${permission}.`);
    }
    throw error;
  };
}

/** The codes of 6003's chain tell a key that was sent as a token from a token that was sent as a key. */
function explainToken(error: unknown): never {
  if (!isRefused(error)) throw error;
  if (codesOf(error.failure).includes(6111)) {
    throw wrongField(
      'secret',
      'This is no API token. For the global API key, enter the e-mail address of its account too.',
    );
  }
  throw unknownCredential(error.failure, 'Cloudflare does not know this token.');
}

function explainKey(error: unknown): never {
  if (!isRefused(error)) throw error;
  if (codesOf(error.failure).includes(6103)) {
    throw wrongField(
      'secret',
      'This is no global API key. For an API token, leave the e-mail address empty.',
    );
  }
  if (codesOf(error.failure).includes(9103)) {
    throw wrongField('email', 'Cloudflare does not know this e-mail address together with this key.');
  }
  throw unknownCredential(error.failure, 'Cloudflare does not know this key.');
}

const unknownCredential = (refusal: Refusal, sentence: string): ProblemError =>
  wrongField('secret', refusal.status < 404 ? sentence : `${sentence} It says: ${reasonOf(refusal)}`);

const isRefused = (error: unknown): error is CloudflareFailure & { failure: Refusal } =>
  error instanceof CloudflareFailure && error.failure.kind === 'refused';
