import type { SessionIdentity } from '@homeport/contract/services';
import type { StatusComponent, StatusPage } from '@homeport/contract/status-pages/schema';
import { type Owner, type OwnerWrite, ownerFromSession } from '@homeport/store';
import { holdSession } from '../confirmation/confirmed.ts';
import { ProblemError, wrongField } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import { refusingTakenSlugs } from './add-page.ts';
import type { StatusPageDeps } from './deps.ts';
import { holdPage, readPage, soonDue } from './page-record.ts';
import { refuseFreedAddress } from './refuse-freed-address.ts';

type Edit = {
  version: number;
  slug?: string | undefined;
  title?: string | undefined;
  published?: boolean | undefined;
  components?: StatusComponent[] | undefined;
};

/** Throws `stale_edit`, `invalid_input`, `conflict` or `not_found`. */
export async function changePage(
  { store, clock }: StatusPageDeps,
  { userId, sessionId }: SessionIdentity,
  id: string,
  { version, slug, title, published, components }: Edit,
): Promise<StatusPage> {
  const owner = ownerFromSession(userId);
  return refusingTakenSlugs(() =>
    store.transact(owner, async (scope) => {
      await holdSession(scope, sessionId);
      const held = await holdPage(scope, id);
      if (held.version !== version)
        throw new ProblemError('stale_edit', 'This status page was changed elsewhere.', {
          current: await readPage(scope, id),
        });
      const isMoved = slug !== undefined && slug !== held.slug;
      if (held.taken_down !== null) refuseTakenDown(held.taken_down, { published, isMoved });
      if (components) await replaceComponents(scope, id, components);
      // What was rendered goes with the change that hides the page, so that no process finds it any more.
      if (published === false)
        await scope.db.deleteFrom('status_renders').where('page_id', '=', id).execute();
      await scope.db
        .updateTable('status_pages')
        .set({
          version: version + 1,
          due_at: soonDue(clock()),
          ...(slug !== undefined && { slug }),
          ...(isMoved && { was_readable: false }),
          ...(title !== undefined && { title }),
          ...(published !== undefined && { published }),
        })
        .where('id', '=', id)
        .execute();
      if (isMoved) await refuseFreedAddress(scope, slug, clock());
      await notifyChange(scope.db, owner, 'status-pages', id);
      return readPage(scope, id);
    }),
  );
}

/** What was taken down stays hidden, and at its address: else its person would put the same text elsewhere, and leave addresses that nobody may take. */
function refuseTakenDown(
  reason: string,
  { published, isMoved }: { published: boolean | undefined; isMoved: boolean },
): void {
  if (!published && !isMoved) return;
  throw new ProblemError('not_allowed', `The operator of this console took the page down: ${reason}`, {
    recovery: 'Ask whoever runs the console to allow it again.',
  });
}

async function replaceComponents(
  scope: OwnerWrite,
  page: string,
  components: readonly StatusComponent[],
): Promise<void> {
  await refuseOthers(scope, components);
  const { db } = scope;
  await db.deleteFrom('status_components').where('page_id', '=', page).execute();
  if (components.length === 0) return;
  await db
    .insertInto('status_components')
    .values(
      components.map(({ kind, target, name, group }, position) => ({
        ...{ page_id: page, name, group_name: group, position },
        app_id: kind === 'app' ? target : null,
        proxy_id: kind === 'proxy' ? target : null,
      })),
    )
    .execute();
}

/** Holds the apps and proxies, so that none goes before the page has it. Throws `invalid_input` for one that is not the owner’s. */
async function refuseOthers(
  { db, owner }: OwnerWrite,
  components: readonly StatusComponent[],
): Promise<void> {
  for (const [kind, table] of [
    ['app', 'apps'],
    ['proxy', 'proxies'],
  ] as const) {
    const wanted = components.filter((each) => each.kind === kind).map(({ target }) => target);
    if (wanted.length === 0) continue;
    const found = await db
      .selectFrom(table)
      .select('id')
      .where('owner_id', '=', owner)
      .where('id', 'in', wanted)
      .orderBy('id')
      .forKeyShare()
      .execute();
    const known = new Set(found.map(({ id }) => id));
    const missing = components.findIndex((each) => each.kind === kind && !known.has(each.target));
    if (missing >= 0)
      throw wrongField(
        `components.${missing}.target`,
        `There is no ${kind === 'app' ? 'app' : 'proxy'} under this id.`,
      );
  }
}

/** Removes a page. It is gone for visitors as soon as the processes that serve it hear of that. */
export async function removePage({ store }: StatusPageDeps, owner: Owner, id: string): Promise<void> {
  await store.transact(owner, async (scope) => {
    await holdPage(scope, id);
    await scope.db.deleteFrom('status_pages').where('id', '=', id).execute();
    await notifyChange(scope.db, owner, 'status-pages', id);
  });
}
