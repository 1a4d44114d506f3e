import { randomUUID } from 'node:crypto';
import type { Target } from '@homeport/contract/destinations/schema';
import type { NoticeEvent } from '@homeport/contract/notifications/events';
import { graveEvents, type NewsKind } from '@homeport/contract/notifications/kinds';
import type { Gate } from '@homeport/egress';
import type { Store } from '@homeport/store';
import { testDatabase } from '@homeport/store/testing';
import { expect } from 'vitest';
import { createMailer } from '../mail/mailer.ts';
import { type Mail, startMailServer } from '../testing/mail-server.ts';
import { plantApp, plantServer } from '../testing/plant.ts';
import { openGate, pushKeys, sealer } from '../testing/way-of-news.ts';
import { createChannels } from './channels.ts';
import type { ServiceAddress } from './http/http-channel.ts';
import { sealTarget } from './seal-target.ts';
import { type TellingDeps, tellOnce } from './start-delivery.ts';

export const origin = 'https://console.example.com';
const minute = 60_000;
type Options = { hasMailServer?: boolean; gate?: Gate; pushGate?: Gate; addressOf?: ServiceAddress };

/** A console that sends news, with its own database and mail server. A test moves its clock. */
export async function startTold(
  answer?: Parameters<typeof startMailServer>[0],
  { hasMailServer = true, gate = openGate, pushGate = openGate, addressOf }: Options = {},
) {
  const database = await testDatabase();
  const mail = await startMailServer(answer);
  const { store } = database;
  const clock = { now: Date.now() };
  const mailers: { close(): void }[] = [];
  const replicaOn = (on: Pick<Store, 'db' | 'pool'>): TellingDeps => {
    const smtp = { url: mail.url, from: 'Homeport <console@example.com>' };
    const mailer = createMailer({ store, smtp, announce: () => {}, clock: () => clock.now });
    mailers.push(mailer);
    return {
      store: on,
      channels: createChannels({
        ...{ mailer: hasMailServer ? mailer : null, publicUrl: origin, sealer, gate, addressOf },
        ...{ publicGate: pushGate, pushKeys: async () => pushKeys },
        clock: () => clock.now,
      }),
      log: { error: (...words: unknown[]) => expect.fail(JSON.stringify(words)) },
      clock: () => clock.now,
    };
  };
  const replica = replicaOn(store);
  return {
    database,
    store,
    clock,
    mail,
    replicaOn,
    tell: () => tellOnce(replica, () => false),
    addPerson: (name: string, changes: { verified?: boolean } = {}) => addPerson(store, name, changes),
    /** Adds failed work of this person. By default the work ended a minute and a second ago. */
    failWork: (thing: Owned, title: string, changes: Record<string, unknown> = {}) =>
      failWork(store, thing, title, { ended_at: clock.now - minute - 1_000, ...changes }),
    messages: () => store.db.selectFrom('notice_messages').selectAll().orderBy('number').execute(),
    async [Symbol.asyncDispose]() {
      for (const mailer of mailers) mailer.close();
      await mail.close();
      await database.close();
    },
  };
}

/** Adds a destination of this person, with the name of its kind. Returns its id. */
export async function addTarget(
  { db }: Pick<Store, 'db'>,
  { owner }: Owned,
  target: Target,
): Promise<string> {
  const id = randomUUID();
  const { shown, sealed, device } = sealTarget(sealer, { ownerId: owner, id }, target);
  const { kind } = target;
  await db
    .insertInto('notice_destinations')
    .values({ id, owner_id: owner, kind, name: kind, shown, sealed, device, created_at: 0 })
    .execute();
  return id;
}

export type Told = Awaited<ReturnType<typeof startTold>>;
export type Owned = Awaited<ReturnType<typeof addPerson>>;

/** A person with a server named lantern, and on it an app named shop. */
async function addPerson({ db }: Pick<Store, 'db'>, name: string, { verified = true } = {}) {
  const email = `${randomUUID()}@example.com`;
  const { id: owner } = await db
    .insertInto('auth.user')
    .values({ name, email, emailVerified: verified, image: null })
    .returning('id')
    .executeTakeFirstOrThrow();
  const server = await plantServer(db, owner);
  const app = await plantApp(db, owner, server.id);
  return { owner, email, server, app };
}

async function failWork(
  { db }: Pick<Store, 'db'>,
  { owner, server, app }: Owned,
  title: string,
  changes: Record<string, unknown>,
): Promise<string> {
  const { id } = await db
    .insertInto('operations')
    .values({
      ...{ owner_id: owner, session_id: randomUUID(), kind: 'app.start', title, state: 'failed' },
      ...{ lane: randomUUID(), server_id: server.id, app_id: app.id, longname: app.longname },
      steps: JSON.stringify([{ title: 'Start the app', state: 'failed' }]),
      input: '{}',
      created_at: 0,
      ...changes,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Raises news of this person's server at the moment of the test's clock, for all of their destinations. */
export async function raise(
  { store, clock }: Told,
  { owner, server }: Owned,
  kind: NewsKind,
  thing: string,
  facts: NoticeEvent,
): Promise<void> {
  await store.pool.query(
    `with thread as (
        insert into notice_threads (owner_id, kind, incident, server_id, started_at)
        values ($1, $2, $3, $4, 0) on conflict (incident) do update set incident = excluded.incident returning id),
      notice as (
        insert into notices (thread_id, owner_id, event, mark, facts, created_at, muted)
        select id, $1, $5::jsonb ->> 'event', 0, $5, $6, muted_until(id, $4, null, $6) is not null from thread returning id)
      insert into notice_deliveries (notice_id, destination_id, owner_id, grave)
      select notice.id, d.id, d.owner_id, $7 from notice, notice_destinations d where d.owner_id = $1`,
    [
      ...[owner, kind, `${kind} ${server.id} ${thing}`, server.id, JSON.stringify(facts), clock.now],
      graveEvents.some((each) => each === facts.event),
    ],
  );
}

export const subjectsOf = (mails: readonly Mail[]) => mails.map(({ headers }) => headers.subject);
