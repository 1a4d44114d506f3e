import { ownerFromSession } from '@homeport/store';
import { ProblemError } from '../../http/problem.ts';
import type { AppRow } from '../../records/app-record.ts';
import { type AppDeps, type Asking, startOnApp } from '../reach-app.ts';
import { findDeployKey, forgetDeployKey } from './records.ts';

/**
 * Begins to remove the key of a repository that the app is not linked to any more. Where no work can begin, the key stays on the app's
 * page, with the button that removes it.
 */
export async function removeOtherKey(deps: AppDeps, asking: Asking, app: AppRow): Promise<void> {
  const scope = { owner: ownerFromSession(asking.userId), db: deps.store.db };
  const key = await findDeployKey(scope, app.id);
  if (!key || key.repository === app.repository) return;
  // Refused by GitHub: there is no key.
  if (key.public_key === null) return forgetDeployKey(deps.store.db, scope.owner, app.id);
  try {
    await startOnApp(deps, asking, app.id, 'app.deploy-key-remove', { repository: key.repository });
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
  }
}
