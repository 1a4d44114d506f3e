import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';

/** A certificate with its key, both as PEM. */
export type Certificate = { cert: string; key: string; name: string; privateKey: KeyObject };

const dayMs = 86_400_000;

/**
 * Makes a certificate (RFC 5280) on P-256, like those of the big authorities, for these names and addresses. `by` signs the
 * certificate; without `by` it is self-signed. Without names it is an authority.
 */
export function makeCertificate({
  names = [],
  by,
  from = Date.now() - dayMs,
  to = Date.now() + 90 * dayMs,
}: {
  names?: readonly string[];
  by?: Certificate;
  from?: number;
  to?: number;
}): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = names[0] ?? 'Test Authority';
  const algorithm = sequence(oid('2a8648ce3d040302')); // ecdsa-with-SHA256
  const body = sequence(
    tagged(0xa0, integer(Buffer.of(2))), // version 3
    integer(Buffer.concat([Buffer.of(1), randomBytes(8)])),
    algorithm,
    distinguishedName(by?.name ?? name),
    sequence(time(from), time(to)),
    distinguishedName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(names.length > 0 ? alternativeNames(names) : authority())),
  );
  const signature = sign('sha256', body, by?.privateKey ?? privateKey);
  const der = sequence(body, algorithm, tagged(0x03, Buffer.of(0), signature));
  const lines = (der.toString('base64').match(/.{1,64}/g) ?? []).join('\n');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    name,
    privateKey,
  };
}

function tagged(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 128
      ? Buffer.of(length)
      : length < 256
        ? Buffer.of(0x81, length)
        : Buffer.of(0x82, length >> 8, length & 255);
  return Buffer.concat([Buffer.of(tag), size, content]);
}

const sequence = (...parts: Buffer[]) => tagged(0x30, ...parts);
const integer = (value: Buffer) => tagged(0x02, value);
const oid = (hex: string) => tagged(0x06, Buffer.from(hex, 'hex'));

/** GeneralizedTime, because it can hold every year. */
const time = (ms: number) =>
  tagged(0x18, Buffer.from(`${new Date(ms).toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`));

const distinguishedName = (commonName: string) =>
  sequence(tagged(0x31, sequence(oid('550403'), tagged(0x0c, Buffer.from(commonName)))));

const extension = (id: string, value: Buffer) => sequence(oid(id), tagged(0x04, value));
const alternativeNames = (names: readonly string[]) =>
  extension(
    '551d11',
    sequence(
      ...names.map((name) =>
        isIP(name) === 4
          ? tagged(0x87, Buffer.from(name.split('.').map(Number)))
          : tagged(0x82, Buffer.from(name)),
      ),
    ),
  );
const authority = () => extension('551d13', sequence(tagged(0x01, Buffer.of(255))));
