import { domainToUnicode } from 'node:url';
import { recordNameCharacters } from '@homeport/contract/domains/facts';
import { asciiName } from '@homeport/contract/fields/domain-name';
import { wrongField } from '../http/problem.ts';

/**
 * The whole name in ASCII (RFC 5890's A-labels), lower case, without a final dot: as Cloudflare answers it, so that names can be
 * compared. `@` and names without the zone are completed. `field`: where the person typed the name.
 */
export function wholeName(typed: string, zone: string, field = 'record.host'): string {
  const name = toAscii(typed, field);
  if (name === '@' || name === zone) return zone;
  const whole = name.endsWith(`.${zone}`) ? name : `${name}.${zone}`;
  if (whole.length > recordNameCharacters) {
    throw wrongField(field, `With the domain, a name has at most ${recordNameCharacters} characters.`);
  }
  return whole;
}

/** A host name in ASCII. A name of ASCII letters is not read as anything else: `4.3.2.1` stays what it is. */
export function toAscii(typed: string, field: string): string {
  const name = typed.trim().toLowerCase();
  const short = name.endsWith('.') ? name.slice(0, -1) : name;
  if (/^[!-~]+$/.test(short)) return short;
  const ascii = asciiName(short);
  if (ascii === null) throw wrongField(field, 'This name has characters that no domain can have.');
  return ascii;
}

/** The name with the letters of its script, for people. */
export function toUnicode(name: string): string {
  return name.includes('xn--') ? domainToUnicode(name) || name : name;
}
