import type { SessionIdentity } from '@homeport/contract/services';
import { type IncidentState, statusPageLimits } from '@homeport/contract/status-pages/facts';
import { linksTo } from '@homeport/contract/status-pages/links';
import type { StatusPage } from '@homeport/contract/status-pages/schema';
import { type OwnerWrite, ownerFromSession } from '@homeport/store';
import { holdSession } from '../confirmation/confirmed.ts';
import { notFound, ProblemError, wrongField } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import type { StatusPageDeps } from './deps.ts';
import { holdPage, readPage, soonDue } from './page-record.ts';

type NewPost = { title: string; text: string } & (
  | { kind: 'incident'; state: IncidentState }
  | { kind: 'maintenance'; startsAt: number; endsAt: number; affects: string[] }
);

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Writes of an incident, or announces a maintenance. Throws `limit_reached`, `invalid_input` or `not_found`. */
export async function addPost(
  deps: StatusPageDeps,
  session: SessionIdentity,
  page: string,
  post: NewPost,
): Promise<StatusPage> {
  refuseOwnLinks(deps, post.text);
  return changingPosts(deps, session, page, async (scope, now) => {
    if (post.kind === 'maintenance') {
      refuseTimes(post, now);
      await refuseStrangers(scope, page, post.affects);
    }
    await refuseMore(scope, page, 'posts');
    const { id } = await scope.db
      .insertInto('status_posts')
      .values({
        ...{ page_id: page, kind: post.kind, title: post.title, created_at: now },
        ...(post.kind === 'maintenance' && {
          ...{ starts_at: post.startsAt, ends_at: post.endsAt, affects: post.affects },
        }),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const state = post.kind === 'incident' ? post.state : null;
    await insertUpdate(scope, page, { post_id: id, state, text: post.text, at: now });
  });
}

/** Writes an update of a post of the page. Throws `limit_reached`, `invalid_input` or `not_found`. */
export async function addUpdate(
  deps: StatusPageDeps,
  session: SessionIdentity,
  page: string,
  { postId, state, text }: { postId: string; state?: IncidentState | undefined; text: string },
): Promise<StatusPage> {
  refuseOwnLinks(deps, text);
  return changingPosts(deps, session, page, async (scope, now) => {
    const { kind } = await findPost(scope, page, postId);
    if (kind === 'incident' && state === undefined)
      throw wrongField('state', 'Choose how far the incident is.');
    if (kind === 'maintenance' && state !== undefined)
      throw wrongField('state', 'A maintenance has its times in place of a state.');
    await insertUpdate(scope, page, { post_id: postId, state: state ?? null, text, at: now });
  });
}

/** Removes a post of the page with its updates. */
export function removePost(
  deps: StatusPageDeps,
  session: SessionIdentity,
  page: string,
  postId: string,
): Promise<StatusPage> {
  return changingPosts(deps, session, page, async (scope) => {
    await findPost(scope, page, postId);
    await scope.db.deleteFrom('status_posts').where('id', '=', postId).execute();
  });
}

/** Changes what is written on a page while nobody else does, and makes the page due. */
async function changingPosts(
  { store, clock }: StatusPageDeps,
  { userId, sessionId }: SessionIdentity,
  page: string,
  change: (scope: OwnerWrite, now: number) => Promise<void>,
): Promise<StatusPage> {
  const owner = ownerFromSession(userId);
  return store.transact(owner, async (scope) => {
    await holdSession(scope, sessionId);
    await holdPage(scope, page);
    const now = clock();
    await change(scope, now);
    await scope.db
      .updateTable('status_pages')
      .set({ due_at: soonDue(now) })
      .where('id', '=', page)
      .execute();
    await notifyChange(scope.db, owner, 'status-pages', page);
    return readPage(scope, page);
  });
}

async function findPost({ db }: OwnerWrite, page: string, id: string) {
  const post = await db
    .selectFrom('status_posts')
    .select('kind')
    .where('page_id', '=', page)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!post) throw notFound('entry of this status page');
  return post;
}

/** Readers of such a page must not take it for the console's own word on how to sign in. */
function refuseOwnLinks({ publicUrl }: StatusPageDeps, text: string): void {
  if (linksTo(text, publicUrl)) throw wrongField('text', 'A text has no link to this console itself.');
}

type NewUpdate = { post_id: string; state: IncidentState | null; text: string; at: number };

async function insertUpdate(scope: OwnerWrite, page: string, update: NewUpdate): Promise<void> {
  await refuseMore(scope, page, 'updates');
  await scope.db.insertInto('status_updates').values(update).execute();
}

/** The page's row is held, so two requests that come at once are counted one after the other. */
async function refuseMore({ db }: OwnerWrite, page: string, what: 'posts' | 'updates'): Promise<void> {
  const posts = db.selectFrom('status_posts as p').where('p.page_id', '=', page);
  const counted = what === 'posts' ? posts : posts.innerJoin('status_updates as u', 'u.post_id', 'p.id');
  const { count } = await counted
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const most = statusPageLimits[what];
  if (count < most) return;
  const noun = what === 'posts' ? 'incidents and maintenances' : 'updates';
  throw new ProblemError('limit_reached', `A status page has at most ${most} ${noun}. Nothing was added.`, {
    recovery: 'Remove old incidents or maintenances.',
  });
}

function refuseTimes({ startsAt, endsAt }: { startsAt: number; endsAt: number }, now: number): void {
  const { maintenanceDays, aheadDays } = statusPageLimits;
  if (startsAt > now + aheadDays * dayMs)
    throw wrongField('startsAt', `A maintenance begins at most ${aheadDays} days from now.`);
  if (endsAt <= now) throw wrongField('endsAt', 'A maintenance ends in the future.');
  // What is past stays as it was measured: nobody plans an outage away. The form gives whole minutes.
  if (startsAt < now - minuteMs) throw wrongField('startsAt', 'A maintenance begins now or later.');
  if (endsAt <= startsAt) throw wrongField('endsAt', 'A maintenance ends after it begins.');
  if (endsAt > startsAt + maintenanceDays * dayMs)
    throw wrongField('endsAt', `A maintenance lasts at most ${maintenanceDays} days.`);
}

async function refuseStrangers({ db }: OwnerWrite, page: string, affects: readonly string[]): Promise<void> {
  const rows = await db
    .selectFrom('status_components')
    .select(['app_id', 'proxy_id'])
    .where('page_id', '=', page)
    .execute();
  const known = new Set(rows.map(({ app_id, proxy_id }) => app_id ?? proxy_id));
  if (affects.some((id) => !known.has(id)))
    throw wrongField('affects', 'A maintenance concerns apps and domains that stand on the page.');
}
