import type { SecurityEventKind } from '@homeport/contract/account/facts';
import type { GithubDeps } from '../../github/account.ts';
import type { StepContext } from '../../operations/definition.ts';
import { noteSecurityEvent } from '../../security-events/note-event.ts';

type KeyEvent = Extract<SecurityEventKind, 'deploy_key_added' | 'deploy_key_removed'>;

/** Notes a security event about a deploy key, from the sign-in over which the operation runs. */
export async function noteKeyEvent(
  { store, clock }: Pick<GithubDeps, 'store' | 'clock'>,
  { owner, operationId, input }: Pick<StepContext<{ longname: string }>, 'owner' | 'operationId' | 'input'>,
  kind: KeyEvent,
  repository: string,
): Promise<void> {
  const row = await store.db
    .selectFrom('operations')
    .select('session_id')
    .where('owner_id', '=', owner)
    .where('id', '=', operationId)
    .executeTakeFirst();
  const from = row?.session_id ? { sessionId: row.session_id } : { address: null, userAgent: null };
  await noteSecurityEvent(store.db, {
    owner,
    kind,
    subject: `${repository}, app ${input.longname}`,
    from,
    at: clock(),
  });
}
