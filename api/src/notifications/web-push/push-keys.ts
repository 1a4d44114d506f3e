import { createPrivateKey, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import type { Store } from '@homeport/store';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { z } from 'zod';
import { consolePlace, SealBroken, type Sealer } from '../../sealing/sealer.ts';

/** The pair by which push services know the console (RFC 8292). A browser asks for messages that this pair signed, and takes no others. */
export type PushKeys = {
  /** The uncompressed point in base64url. */
  publicKey: string;
  privateKey: KeyObject;
};

/** Null where no pair opens with the console's secret. */
export type ReadPushKeys = () => Promise<PushKeys | null>;

type Deps = { store: Pick<Store, 'db'>; sealer: Sealer };

/** Begins the name of each pair's row, which is also what its seal is for. */
const kind = 'web_push ';

const jwkSchema = z.object({
  ...{ kty: z.literal('EC'), crv: z.literal('P-256'), x: z.string(), y: z.string(), d: z.string() },
});

/**
 * Makes a pair where none opens. A pair that another secret sealed stays beside it, and is the console's again with that secret: each
 * browser is bound to its pair, and a mistyped secret at one start must not silence all of them. Every replica may do so at its start.
 */
export async function makePushKeys({
  store: { db },
  sealer,
  log,
  clock,
}: Deps & { log: Pick<FastifyBaseLogger, 'warn'>; clock: () => number }): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    // Replicas that start together would make one each.
    await sql`select pg_advisory_xact_lock(hashtextextended('homeport push keys', 0))`.execute(transaction);
    const rows = await findRows(transaction);
    if ((await firstThatOpens(sealer, rows)) !== null) return;
    if (rows.length > 0)
      log.warn('no key for push messages opens with the secret of this console: it makes another one');
    const { publicKey, privateKey } = newPushKeys();
    const name = `${kind}${randomUUID()}`;
    const bytes = Buffer.from(JSON.stringify(privateKey.export({ format: 'jwk' })));
    const sealed = sealer.seal(consolePlace(name), bytes);
    bytes.fill(0);
    await transaction
      .insertInto('console_credentials')
      .values({ name, shown: publicKey, sealed, changed_at: clock() })
      .execute();
  });
}

/** The oldest pair that opens: all replicas of one secret have the same. */
export async function readPushKeys({ store, sealer }: Deps): Promise<PushKeys | null> {
  return firstThatOpens(sealer, await findRows(store.db));
}

export function newPushKeys(): PushKeys {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return keysOf(privateKey);
}

type Row = { name: string; sealed: Buffer };

const findRows = (db: Store['db']): Promise<Row[]> =>
  db
    .selectFrom('console_credentials')
    .select(['name', 'sealed'])
    .where(sql<boolean>`starts_with(name, ${kind})`)
    .orderBy('changed_at')
    .orderBy('name')
    .execute();

async function firstThatOpens(sealer: Sealer, rows: readonly Row[]): Promise<PushKeys | null> {
  for (const { name, sealed } of rows) {
    const keys = await openKeys(sealer, { name, sealed });
    if (keys !== null) return keys;
  }
  return null;
}

async function openKeys(sealer: Sealer, { name, sealed }: Row): Promise<PushKeys | null> {
  try {
    return await sealer.open(consolePlace(name), sealed, (bytes) => {
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
