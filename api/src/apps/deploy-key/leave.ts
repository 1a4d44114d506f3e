import { type Owner, type OwnerRead, ownerFromSession } from '@homeport/store';
import { askAs, type GithubDeps } from '../../github/account.ts';
import { readLastGrant } from '../../github/last-grant.ts';
import { GithubFailure } from '../../github/refusal.ts';
import { ProblemError } from '../../http/problem.ts';
import type { StepContext, StepOutcome } from '../../operations/definition.ts';
import { noteSecurityEvent } from '../../security-events/note-event.ts';
import { type AppDeps, type Asking, startOnApp } from '../reach-app.ts';
import { removeDeployKey } from './at-github.ts';
import { forgetAtGithub, type LocatedKey, listDeployKeys, toLeave } from './records.ts';
import { removeFromGithub, removeOnServer, staysAtGithub } from './remove-key.ts';

type OnServer = StepContext<{ serverId: string }>;

/** The step of a server's removal that takes the deploy keys of its apps away. It says which ones stay, and goes on. */
type RemoveServerKeys = (context: OnServer) => Promise<StepOutcome>;

export function serverKeysRemover(deps: GithubDeps): RemoveServerKeys {
  return async (context) => {
    const { owner } = context;
    const rows = await listDeployKeys({ owner, db: deps.store.db }, context.input.serverId);
    if (rows.length === 0) return { state: 'skipped', note: 'Its apps have no deploy keys.' };
    const stays: string[] = [];
    for (const row of rows) {
      const onApp = { ...context, input: { appId: row.app_id, longname: row.longname } };
      const onServer = await removeOnServer(onApp, 'root').catch(sentence);
      if (onServer?.state === 'warned') stays.push(`${row.longname}: ${onServer.note}`);
      const atGithub = await removeFromGithub(deps, onApp, row).catch((error: unknown) =>
        error instanceof ProblemError
          ? { state: 'warned' as const, note: staysAtGithub(deps, row, error) }
          : Promise.reject(error),
      );
      if (atGithub?.state === 'warned') stays.push(`${row.longname}: ${atGithub.note}`);
    }
    const told = rows.map(({ longname, repository }) => `${longname} (${repository})`).join(', ');
    return stays.length > 0 ? { state: 'warned', note: stays.join(' ') } : { note: told };
  };
}

function sentence(error: unknown): StepOutcome {
  if (error instanceof ProblemError) return { state: 'warned', note: error.message };
  throw error;
}

/**
 * Removes the keys of a person's apps, or of one server's, from GitHub alone, as far as GitHub answers. The servers keep the private
 * halves, which open nothing any more.
 */
async function disconnectGithub(deps: GithubDeps, asking: Asking, serverId?: string): Promise<LocatedKey[]> {
  const owner = ownerFromSession(asking.userId);
  const rows = await listDeployKeys({ owner, db: deps.store.db }, serverId);
  for (const row of rows) {
    const key = toLeave(row);
    if (key === null) continue;
    let was: boolean;
    try {
      was = await askAs(deps, owner, 'remove the deploy key', (ask) => removeDeployKey(ask, key));
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      // Each further question would wait as long.
      if (error.code === 'unavailable') break;
      continue;
    }
    await forgetAtGithub(deps.store.db, owner, row.app_id);
    if (!was && key.id === null) continue;
    await noteSecurityEvent(deps.store.db, {
      owner,
      kind: 'deploy_key_removed',
      subject: `${row.repository}, app ${row.longname}`,
      from: { sessionId: asking.sessionId },
      at: deps.clock(),
    });
  }
  return rows;
}

/** What a server's removal asks about the deploy keys of its apps. */
export const serverKeys = (deps: GithubDeps) => ({
  hasDeployKeys: async (owner: Owner, serverId: string) =>
    (await listDeployKeys({ owner, db: deps.store.db }, serverId)).length > 0,
  disconnectGithub: (asking: Asking, serverId: string) => disconnectGithub(deps, asking, serverId),
});

/**
 * Before a GitHub account is unlinked: removes the person's keys there, and begins to remove the private halves. Work that cannot begin
 * leaves the key on the app's page, with the button that removes it.
 */
export async function leaveWithAccount(deps: AppDeps, github: GithubDeps, asking: Asking): Promise<void> {
  for (const { app_id, repository } of await disconnectGithub(github, asking)) {
    try {
      await startOnApp(deps, asking, app_id, 'app.deploy-key-remove', { repository });
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
    }
  }
}

/** The person waits for the end of the account meanwhile. */
const leaveWithinMs = 10_000;

/**
 * Reads what an account has at GitHub, before the account is deleted. The returned function then takes it away, as far as GitHub answers:
 * the deploy keys, and at last the grant. The servers keep the private halves, which open nothing any more.
 */
export async function readLeaving(
  deps: Pick<GithubDeps, 'settings' | 'readApp' | 'sealer' | 'clock'>,
  scope: OwnerRead,
): Promise<() => Promise<void>> {
  const grant = await readLastGrant(deps, scope);
  const rows = grant === null ? [] : await listDeployKeys(scope);
  return async () => {
    const until = deps.clock() + leaveWithinMs;
    await grant?.end(async (ask) => {
      for (const row of rows) {
        const key = toLeave(row);
        if (key === null) continue;
        if (deps.clock() > until) return;
        try {
          await removeDeployKey(ask, key);
        } catch (error) {
          if (!(error instanceof GithubFailure)) throw error;
        }
      }
    });
  };
}
