import { createHash } from 'node:crypto';
import type { AvatarType } from '@homeport/contract/account/facts';
import type { SessionIdentity } from '@homeport/contract/services';
import { type Owner, ownerFromSession, type Store } from '@homeport/store';
import type { FileAnswer } from '../http/file-answer.ts';
import { ProblemError } from '../http/problem.ts';
import { notifyChange } from '../live/notify-change.ts';
import type { Picture } from './picture.ts';

type Deps = { store: Store; clock: () => number };
export type Avatar = { avatar: string | null };

/** Where the console serves the picture of whoever asks. The version makes another picture another address. */
export const avatarAddress = (version: string) => `/api/profile/avatar?version=${version}`;

/** Keeps the picture in place of an earlier one. */
export async function keepAvatar(
  { store, clock }: Deps,
  owner: Owner,
  { type, bytes }: Picture,
  source: 'chosen' | 'github',
): Promise<Avatar> {
  const version = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
  const values = { version, type, picture: bytes.toString('base64'), source, kept_at: clock() };
  await store.transact(owner, async ({ db }) => {
    await db
      .insertInto('avatars')
      .values({ owner_id: owner, ...values })
      .onConflict((conflict) => conflict.column('owner_id').doUpdateSet(values))
      .execute();
    await notifyChange(db, owner, 'profile', null);
  });
  return { avatar: avatarAddress(version) };
}

export async function removeAvatar(
  { store }: Pick<Deps, 'store'>,
  session: SessionIdentity,
): Promise<Avatar> {
  await store.transact(ownerFromSession(session.userId), async ({ db, owner }) => {
    await db.deleteFrom('avatars').where('owner_id', '=', owner).execute();
    await notifyChange(db, owner, 'profile', null);
  });
  return { avatar: null };
}

const endings: Record<AvatarType, string> = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' };
/** For a week, and only for the person who asked. Then the browser asks again. */
const keptByBrowser = 'private, max-age=604800, immutable';

/**
 * The person's picture as a file. A browser may keep it only under the address with the version that it has: any other address
 * could show an older picture later. Throws `not_found` for a person without a picture.
 */
export async function readAvatar(
  { store }: Pick<Deps, 'store'>,
  session: SessionIdentity,
  version: string | undefined,
): Promise<FileAnswer> {
  const kept = await store.read(ownerFromSession(session.userId), ({ db, owner }) =>
    db.selectFrom('avatars').selectAll().where('owner_id', '=', owner).executeTakeFirst(),
  );
  if (!kept) throw new ProblemError('not_found', 'Your account has no picture.');
  const bytes = Buffer.from(kept.picture, 'base64');
  return {
    name: `picture.${endings[kept.type]}`,
    bytes: bytes.length,
    type: kept.type,
    ...(version === kept.version && { cacheControl: keptByBrowser }),
    async pour(take) {
      await take(bytes);
    },
  };
}
