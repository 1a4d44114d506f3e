import { randomBytes, randomUUID } from 'node:crypto';
import { type TokenKind, tokenPrefix } from '@homeport/contract/tokens/facts';
import type { Database, Store } from '@homeport/store';
import type { Insertable } from 'kysely';
import { hashOfToken } from '../tokens/bearer-token.ts';

/** The id of one record of each kind. A kind has its name in routes: `/api/servers/:id`. */
export type Planted = {
  servers: string;
  apps: string;
  databases: string;
  proxies: string;
  rules: string;
  keys: string;
  operations: string;
  invitations: string;
  zones: string;
  sessions: string;
  tokens: string;
  /** A restart of the app that the token proposed. Its fingerprint is of no call. */
  proposals: string;
  /** A terminal that waits for its person. */
  device: string;
  passkeys: string;
  destinations: string;
  /** An incident that goes on: the server is silent. */
  notifications: string;
  /** A message to the destination that has ended. */
  deliveries: string;
  'status-pages': string;
  /** An incident on the status page. */
  posts: string;
  /** Of the console itself. */
  backups: string;
};

/** The kind of record that a route's `:id` names is the word before it. */
export const namedKind = (key: string) =>
  /\/api\/(?:console\/)?([\w-]+)\/:id/.exec(key)?.[1] as keyof Planted | undefined;

/** A picture of one pixel, in base64. */
export const smallestPng =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

type Db = Store['db'];
type Row<Table extends keyof Database> = Insertable<Database[Table]>;

/**
 * Writes one record of each kind straight into the store, named after its owner. The server’s credential is
 * the key.
 */
export async function plantOneOfEach(db: Db, owner_id: string): Promise<Planted> {
  const now = Date.now();
  const name = `of ${owner_id}`;
  const key = await db
    .insertInto('keys')
    .values({
      owner_id,
      id: randomBytes(16).toString('hex'),
      name,
      public_key: randomPublicKey(),
      fingerprint: `SHA256:${'A'.repeat(43)}`,
      algorithm: 'ssh-ed25519',
      added_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const server = await plantServer(db, owner_id, {
    ...{ name, credential: key.id, commands_allowed: true, shell_allowed: true },
  });
  const app = await plantApp(db, owner_id, server.id, { name });
  const database = await plantDatabase(db, owner_id, server.id, { name });
  const rules = randomUUID();
  const proxy = await plantProxy(db, owner_id, { name, records: JSON.stringify([plantedRule(rules)]) });
  const operation = await db
    .insertInto('operations')
    .values({
      owner_id,
      session_id: randomUUID(),
      kind: 'app.start',
      title: name,
      state: 'failed',
      lane: randomName(),
      server_id: server.id,
      server_key: server.key,
      app_id: app.id,
      steps: '[]',
      input: JSON.stringify({ appId: app.id, longname: app.longname }),
      created_at: now,
      ended_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const invitation = await db
    .insertInto('invitations')
    .values({
      owner_id,
      email: `${randomName()}@example.com`,
      token_hash: randomBytes(32),
      created_at: now - 3_600_000,
      expires_at: now + 3_600_000,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const session = await db
    .insertInto('auth.session')
    .values({
      userId: owner_id,
      token: randomUUID(),
      expiresAt: new Date(now + 3_600_000),
      updatedAt: new Date(now),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const token = await db
    .insertInto('api_tokens')
    .values({
      owner_id,
      name,
      token_hash: randomBytes(32),
      last_four: 'abcd',
      scopes: ['apps:read'],
      created_at: now,
      expires_at: now + 3_600_000,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const device = await db
    .insertInto('device_codes')
    .values({
      owner_id,
      name,
      platform: 'linux',
      address: '192.0.2.1',
      network: '192.0.2.1',
      customer_network: '192.0.2.0/24',
      device_hash: randomBytes(32),
      user_hash: randomBytes(32),
      created_at: now,
      expires_at: now + 600_000,
      interval_ms: 5_000,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await plantAvatar(db, owner_id);
  const destination = await plantDestination(db, owner_id, name);
  const statusPage = await plantStatusPage(db, owner_id, { name, app: app.id });
  return {
    ...destination,
    ...statusPage,
    notifications: await plantSilence(db, owner_id, server),
    passkeys: await plantPasskey(db, owner_id, name),
    servers: server.id,
    apps: app.id,
    databases: database.id,
    proxies: proxy.id,
    rules,
    keys: key.id,
    device: device.id,
    operations: operation.id,
    invitations: invitation.id,
    zones: await plantZone(db, owner_id),
    sessions: session.id,
    tokens: token.id,
    proposals: await plantProposal(db, owner_id, { name, token: token.id, app: app.id }),
    backups: await plantBackup(db),
  };
}

/** A restart of the app that a program proposed. Its fingerprint is of no call. */
async function plantProposal(
  db: Db,
  owner_id: string,
  { name, token, app }: { name: string; token: string; app: string },
): Promise<string> {
  const now = Date.now();
  const { id } = await db
    .insertInto('proposals')
    .values({
      ...{ owner_id, program_id: token, program_kind: 'agent', program_name: name, last_four: 'abcd' },
      ...{ route: 'POST /api/apps/:id/restart', params: JSON.stringify({ id: app }), title: 'Restart' },
      ...{ app_name: name, server_name: name, why: name, fingerprint: '0'.repeat(64) },
      ...{ program_since: now, created_at: now, expires_at: now + 3_600_000 },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A webhook whose target does not open, with one message that it refused and that holds news. */
async function plantDestination(db: Db, owner_id: string, name: string) {
  const now = Date.now();
  const { id: destinations } = await db
    .insertInto('notice_destinations')
    .values({ owner_id, kind: 'webhook', name, shown: '127.0.0.1', sealed: randomBytes(60), created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: deliveries } = await db
    .insertInto('notice_messages')
    .values({
      ...{ owner_id, destination_id: destinations, state: 'refused', summary: false, answer: name },
      ...{ created_at: now, due_at: now, ended_at: now },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const thread = await db
    .insertInto('notice_threads')
    .values({ owner_id, kind: 'operation', incident: randomName(), started_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  const facts = { event: 'operation.failed', title: name, step: null, at: now, longname: null };
  const notice = await db
    .insertInto('notices')
    .values({
      ...{ owner_id, thread_id: thread.id, event: facts.event, mark: 0, created_at: now },
      facts: JSON.stringify({ ...facts, serverName: null, serverKey: null }),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('notice_deliveries')
    .values({ owner_id, notice_id: notice.id, destination_id: destinations, message_id: deliveries })
    .execute();
  return { destinations, deliveries };
}

/** The server went silent, and nobody was told. Returns the incident's id. */
export async function plantSilence(
  db: Db,
  owner_id: string,
  server: { id: string; name: string; key: string },
  since = Date.now(),
): Promise<string> {
  const thread = await db
    .insertInto('notice_threads')
    .values({
      ...{ owner_id, server_id: server.id, kind: 'server.offline', started_at: since },
      incident: `server.offline ${server.id} ${since}`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const facts = { event: 'server.went-silent', serverName: server.name, serverKey: server.key, since };
  await db
    .insertInto('notices')
    .values({
      ...{ owner_id, thread_id: thread.id, event: facts.event, mark: 0, created_at: Date.now() },
      facts: JSON.stringify(facts),
    })
    .execute();
  return thread.id;
}

/** A published status page with an app and an open incident. */
async function plantStatusPage(db: Db, owner_id: string, { name, app }: { name: string; app: string }) {
  const now = Date.now();
  const { id: page } = await db
    .insertInto('status_pages')
    .values({ owner_id, slug: `page-${randomName()}`, title: name, published: true, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('status_components')
    .values({ page_id: page, app_id: app, name, position: 0 })
    .execute();
  const { id: posts } = await db
    .insertInto('status_posts')
    .values({ page_id: page, kind: 'incident', title: name, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('status_updates')
    .values({ post_id: posts, state: 'investigating', text: name, at: now })
    .execute();
  return { 'status-pages': page, posts };
}

/** A backup of the console, which is nobody's own. */
async function plantBackup(db: Db): Promise<string> {
  const at = Date.now();
  const { id } = await db
    .insertInto('console_backups')
    .values({
      ...{ started_by: 'schedule', state: 'done', encrypted: true, file: `homeport-${randomName()}.age` },
      ...{ started_at: at, alive_at: at, ended_at: at, rows: 3, bytes: 8, sha256: 'a'.repeat(64) },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A person has one picture, however often this is called. */
async function plantAvatar(db: Db, owner_id: string): Promise<void> {
  await db
    .insertInto('avatars')
    .values({
      owner_id,
      version: '0'.repeat(32),
      type: 'image/png',
      picture: smallestPng,
      source: 'chosen',
      kept_at: Date.now(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** A passkey that no device holds. */
async function plantPasskey(db: Db, owner_id: string, name: string): Promise<string> {
  const { id } = await db
    .insertInto('passkeys')
    .values({
      owner_id,
      name,
      credential_id: randomUUID(),
      public_key: randomBytes(32),
      counter: 0,
      backed_up: false,
      created_at: Date.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The zone `example.com`, at an account whose credential does not open. Each person has one account only. */
async function plantZone(db: Db, owner_id: string): Promise<string> {
  const now = Date.now();
  const account = await db
    .insertInto('linked_accounts')
    .values({
      owner_id,
      service: 'cloudflare',
      kind: 'token',
      name: null,
      sealed: randomBytes(60),
      last_four: randomName().slice(-4),
      facts: JSON.stringify({ ability: '1 zone readable.', expiresAt: null, moreZones: false }),
      problem: null,
      linked_at: now,
      checked_at: now,
    })
    .onConflict((on) => on.columns(['owner_id', 'service']).doUpdateSet({ checked_at: now }))
    .returning('id')
    .executeTakeFirstOrThrow();
  const id = randomBytes(16).toString('hex');
  await db
    .insertInto('zones')
    .values({
      account_id: account.id,
      owner_id,
      id,
      name: 'example.com',
      status: 'active',
      type: 'full',
      paused: false,
      editable: null,
      created_at: now,
    })
    .execute();
  return id;
}

/** An installed server at whose address nothing listens. */
export const plantServer = (db: Db, owner_id: string, changes: Partial<Row<'servers'>> = {}) =>
  db
    .insertInto('servers')
    .values({
      owner_id,
      key: randomName(),
      name: 'lantern',
      ip: ownAddress(),
      port: 1,
      username: 'root',
      credential: 'password',
      subdomain: randomName(),
      metal: false,
      monitor_id: randomName(),
      setup: 'ready',
      created_at: Date.now(),
      ...changes,
    })
    .returning(['id', 'key', 'name'])
    .executeTakeFirstOrThrow();

/** An app with one domain, `shop.example.com`. */
/** An API token that works, with scopes that no way of making one may give to its kind. */
export async function plantToken(
  db: Db,
  owner_id: string,
  { kind, scopes }: { kind: TokenKind; scopes: readonly string[] },
): Promise<{ id: string; token: string }> {
  const token = tokenPrefix + randomBytes(32).toString('base64url');
  const now = Date.now();
  const values = {
    ...{ owner_id, kind, name: 'laptop', scopes: [...scopes] },
    ...{ token_hash: hashOfToken(token), last_four: token.slice(-4) },
    ...{ created_at: now, expires_at: now + 30 * 24 * 3_600_000 },
  };
  const row = await db.insertInto('api_tokens').values(values).returning('id').executeTakeFirstOrThrow();
  return { id: row.id, token };
}

export const plantApp = (db: Db, owner_id: string, server_id: string, changes: Partial<Row<'apps'>> = {}) =>
  db
    .insertInto('apps')
    .values({
      owner_id,
      server_id,
      name: 'shop',
      longname: randomName(),
      monitor_id: randomName(),
      plan: 3,
      domains: ['shop.example.com'],
      created_at: Date.now(),
      ...changes,
    })
    .returning(['id', 'longname'])
    .executeTakeFirstOrThrow();

export const plantDatabase = (
  db: Db,
  owner_id: string,
  server_id: string,
  changes: Partial<Row<'databases'>> = {},
) =>
  db
    .insertInto('databases')
    .values({
      owner_id,
      server_id,
      name: 'orders',
      longname: randomName(),
      type: 'postgres',
      created_at: Date.now(),
      ...changes,
    })
    .returning(['id', 'longname'])
    .executeTakeFirstOrThrow();

/** A proxy of a domain that nobody else has. */
export const plantProxy = (db: Db, owner_id: string, changes: Partial<Row<'proxies'>> = {}) =>
  db
    .insertInto('proxies')
    .values({
      owner_id,
      name: 'shop',
      domain: `${randomName()}.example.com`,
      source: 'https://www.example.net',
      proof: randomName(),
      holds: true,
      created_at: Date.now(),
      ...changes,
    })
    .returning(['id', 'domain', 'edit_version as version', 'proof'])
    .executeTakeFirstOrThrow();

/** A rule for /blog. */
export const plantedRule = (id: string) => ({
  ...{ id, path: '/blog', type: 'subdirectory', target: 'https://blog.example.net', xForwardedHost: '' },
  ...{ proxyPathPrefix: '', pathRewriteSrc: '', pathRewriteDest: '', injection: '' },
});

export const randomName = () => `x${randomBytes(6).toString('hex')}`;

/** The line of an Ed25519 key that nobody has the other half of. */
export function randomPublicKey(): string {
  const part = (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes]);
  return `ssh-ed25519 ${Buffer.concat([part(Buffer.from('ssh-ed25519')), part(randomBytes(32))]).toString('base64')}`;
}

let planted = 0;
/** Another loopback address each time, because an owner may have each address only once. */
function ownAddress(): string {
  planted += 1;
  return `127.${1 + (planted >> 8)}.${planted & 255}.7`;
}

/**
 * The console that runs in this test. Every ten seconds it interrupts work that belongs to no running console, so work that is planted as
 * under way has to name this one.
 */
export async function runningReplica(db: Store['db']): Promise<string> {
  const { id } = await db.selectFrom('replicas').select('id').executeTakeFirstOrThrow();
  return id;
}
