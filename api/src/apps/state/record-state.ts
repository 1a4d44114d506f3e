import { nameContainers, type Owner, type Store } from '@homeport/store';
import { type AppRow, recordAppFacts } from './app-record.ts';
import type { AppState } from './read-state.ts';

/** Which containers each app was last said to have; saying the same again would make the monitor read it again. */
const told = new Map<string, string>();

/** Keeps what a server said of an app: its facts in the record, and its containers for the monitor, which measures them. */
export async function recordAppState(
  store: Pick<Store, 'db' | 'pool'>,
  owner: Owner,
  app: AppRow,
  state: AppState,
): Promise<void> {
  if (state.kind === 'missing') return;
  await recordAppFacts(store.db, owner, app, state.facts);
  const containers = [...state.containerIds].sort().join();
  if (told.get(app.id) === containers) return;
  await nameContainers(store.pool, app.server_id, app.longname, state.containerIds);
  told.set(app.id, containers);
}
