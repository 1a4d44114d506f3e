import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Whose secret it is, and what it is for. Both are bound to the sealed bytes: in another row they do not open. */
export type SealPlace = {
  ownerId: string;
  /** One word for each use: `cloudflare`, `github`. */
  purpose: string;
};

/** The place of a credential of the console itself, which belongs to no person. */
export const consolePlace = (name: string): SealPlace => ({ ownerId: 'console', purpose: name });

/** The place of a destination's target: in the row of another destination it does not open. */
export const destinationPlace = (ownerId: string, id: string): SealPlace => ({
  ownerId,
  purpose: `destination ${id}`,
});

export type Sealer = {
  /** Seals a secret for its place. The caller still has to overwrite `secret`. */
  seal(place: SealPlace, secret: Uint8Array): Buffer;
  /**
   * Opens what `seal` made for the same place, hands the secret to `use`, and overwrites it with zeros when `use` has ended.
   * Throws `SealBroken`.
   */
  open<T>(place: SealPlace, sealed: Uint8Array, use: (secret: Buffer) => T | Promise<T>): Promise<T>;
  /** The first bytes of everything that is sealed with the present secret. Other beginnings are to be sealed again. */
  readonly present: Buffer;
};

/** The sealed bytes were changed, belong to another place, or were sealed with a secret that the console no longer has. */
export class SealBroken extends Error {
  constructor(reason: 'unknown key' | 'changed bytes') {
    super(`A sealed secret does not open: ${reason}.`);
    this.name = 'SealBroken';
  }
}

// Format (1 byte), number of the console's secret (8), nonce (12), tag (16), ciphertext.
const format = 1;
const numberEnd = 9;
const nonceEnd = numberEnd + 12;
const tagEnd = nonceEnd + 16;

/**
 * Seals secrets with AES-256-GCM (NIST SP 800-38D). The key is made with HKDF-SHA-256 (RFC 5869) from the console's secret and the
 * person's id, so that each person has a key of their own and nobody has to store one. A nonce is random: a person seals a handful
 * of secrets, far below the 2^32 for which random nonces are safe.
 *
 * `previous` opens what was sealed before the console's secret was replaced. Nothing new is sealed with it.
 */
export function createSealer(secrets: { secret: string; previous: string | null }): Sealer {
  const known = [secrets.secret, secrets.previous]
    .filter((secret) => secret !== null)
    .map((secret) => ({ secret, beginning: Buffer.from([format, ...derive(secret, 'number', 8)]) }));
  const [present = { secret: secrets.secret, beginning: Buffer.alloc(0) }] = known;
  return {
    present: present.beginning,
    seal(place, secret) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', personKey(present.secret, place), nonce);
      cipher.setAAD(associated(place));
      const ciphertext = Buffer.concat([cipher.update(secret), cipher.final()]);
      return Buffer.concat([present.beginning, nonce, cipher.getAuthTag(), ciphertext]);
    },
    async open(place, sealed, use) {
      const bytes = Buffer.from(sealed);
      const from = known.find(({ beginning }) => beginning.equals(bytes.subarray(0, numberEnd)));
      if (!from || bytes.length < tagEnd) throw new SealBroken('unknown key');
      const secret = decrypt(personKey(from.secret, place), associated(place), bytes);
      try {
        return await use(secret);
      } finally {
        secret.fill(0);
      }
    },
  };
}

function decrypt(key: Buffer, about: Buffer, bytes: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(numberEnd, nonceEnd), {
    authTagLength: 16,
  });
  decipher.setAAD(about);
  decipher.setAuthTag(bytes.subarray(nonceEnd, tagEnd));
  const secret = decipher.update(bytes.subarray(tagEnd));
  try {
    decipher.final();
    return secret;
  } catch {
    secret.fill(0);
    throw new SealBroken('changed bytes');
  }
}

const personKey = (secret: string, { ownerId }: SealPlace) => derive(secret, `person\0${ownerId}`, 32);

/** As JSON, in which no two places have the same bytes. */
function associated({ ownerId, purpose }: SealPlace): Buffer {
  return Buffer.from(JSON.stringify([ownerId, purpose]));
}

function derive(secret: string, what: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'homeport sealing 1', what, bytes));
}
