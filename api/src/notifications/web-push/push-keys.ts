import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Store } from '@homeport/store';
import type { FastifyBaseLogger } from 'fastify';
import { z } from 'zod';
import { consolePlace, SealBroken, type Sealer } from '../../sealing/sealer.ts';

/** The pair by which push services know the console (RFC 8292). A browser asks for messages that this pair signed, and takes no others. */
export type PushKeys = {
  /** The uncompressed point in base64url. */
  publicKey: string;
  privateKey: KeyObject;
};

/** Null where the seal no longer opens. */
export type ReadPushKeys = () => Promise<PushKeys | null>;

type Deps = { store: Pick<Store, 'db'>; sealer: Sealer };

/** The name of the row, and what its seal is for. */
const name = 'web_push';
const place = consolePlace(name);

const jwkSchema = z.object({
  ...{ kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string(), y: z.string(), d: z.string() },
});

/**
 * Makes the console's pair where there is none. A pair that a lost secret sealed is replaced: nothing could be sent with it, and each
 * browser is asked to be turned on again. Every replica may do so at its start; one of them wins.
 */
export async function makePushKeys({
  store: { db },
  sealer,
  log,
  clock,
}: Deps & { log: Pick<FastifyBaseLogger, 'warn'>; clock: () => number }): Promise<void> {
  const row = await findRow(db);
  if (row && (await openKeys(sealer, row.sealed)) !== null) return;
  const { publicKey, privateKey } = newPushKeys();
  const bytes = Buffer.from(JSON.stringify(privateKey.export({ format: 'jwk' })));
  const values = { shown: publicKey, sealed: sealer.seal(place, bytes), changed_at: clock() };
  bytes.fill(0);
  if (!row) {
    await db
      .insertInto('console_credentials')
      .values({ name, ...values })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    return;
  }
  log.warn(
    'the key for push messages was sealed with a secret that this console does not have: there is a new one',
  );
  await db
    .updateTable('console_credentials')
    .set(values)
    .where('name', '=', name)
    .where('sealed', '=', row.sealed)
    .execute();
}

export async function readPushKeys({ store, sealer }: Deps): Promise<PushKeys | null> {
  const row = await findRow(store.db);
  return row ? openKeys(sealer, row.sealed) : null;
}

/** The public key, as browsers take it. */
export async function shownPushKey({ db }: Pick<Store, 'db'>): Promise<string> {
  const row = await findRow(db);
  if (!row) throw new Error('The console has no key for push messages. Each start makes one.');
  return row.shown;
}

export function newPushKeys(): PushKeys {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return keysOf(privateKey);
}

const findRow = (db: Store['db']) =>
  db
    .selectFrom('console_credentials')
    .select(['shown', 'sealed'])
    .where('name', '=', name)
    .executeTakeFirst();

async function openKeys(sealer: Sealer, sealed: Buffer): Promise<PushKeys | null> {
  try {
    return await sealer.open(place, sealed, (bytes) => {
      const key = jwkSchema.parse(JSON.parse(bytes.toString('utf8')));
      return keysOf(createPrivateKey({ key, format: 'jwk' }));
    });
  } catch (error) {
    if (error instanceof SealBroken) return null;
    throw error;
  }
}

function keysOf(privateKey: KeyObject): PushKeys {
  const { x, y } = jwkSchema.parse(privateKey.export({ format: 'jwk' }));
  const point = Buffer.concat([Buffer.from([4]), ...[x, y].map((part) => Buffer.from(part, 'base64url'))]);
  return { publicKey: point.toString('base64url'), privateKey };
}
