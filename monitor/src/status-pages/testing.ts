import { randomBytes, randomUUID } from 'node:crypto';
import type { Store } from '@homeport/store';

export const dayMs = 86_400_000;

/** A person with a server and one app that is checked. */
export async function plantCheckedApp(
  { db }: Pick<Store, 'db'>,
  { now, owner = randomUUID() }: { now: number; owner?: string },
): Promise<{ owner: string; app: string; check: number }> {
  const name = randomBytes(6).toString('hex');
  await db
    .insertInto('auth.user')
    .values({
      ...{ id: owner, name, email: `${name}@example.com`, emailVerified: true },
      updatedAt: new Date(now),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { id: server } = await db
    .insertInto('servers')
    .values({
      ...{ owner_id: owner, name: 'hidden-server', ip: '127.0.0.1', subdomain: name },
      ...{ key: name, monitor_id: name, created_at: now, port: 22, username: 'root', metal: false },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: app } = await db
    .insertInto('apps')
    .values({
      ...{ owner_id: owner, server_id: server, name: 'hidden-app', longname: `hidden-${name}` },
      ...{ monitor_id: `app-${name}`, created_at: now },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { id: check } = await db
    .insertInto('checks')
    .values({
      ...{ app_id: app, domain: 'hidden.example.com', created_at: now - dayMs, due_at: now + 60_000 },
      ...{ confirmed: 'up', confirmed_at: now - dayMs, latest: JSON.stringify({ at: now, ok: true }) },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { owner, app, check };
}

/** A published page with the app on it. */
export async function plantPage(
  { db }: Pick<Store, 'db'>,
  { owner, app, slug, createdAt = 1 }: { owner: string; app: string; slug: string; createdAt?: number },
): Promise<string> {
  const { id } = await db
    .insertInto('status_pages')
    .values({ owner_id: owner, slug, title: 'Our services', published: true, created_at: createdAt })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('status_components')
    .values({ page_id: id, app_id: app, name: 'Shop', position: 0 })
    .execute();
  return id;
}
