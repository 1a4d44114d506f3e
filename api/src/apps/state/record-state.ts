import { hash } from 'node:crypto';
import { containersPerApp } from '@homeport/contract/limits';
import { nameContainers, type Owner, type Store } from '@homeport/store';
import { type AppRow, recordAppFacts } from '../../records/app-record.ts';
import { keepReadings } from '../../records/reading-record.ts';
import { forgetPlugin } from '../../records/server-record.ts';
import type { AppState } from './app-state.ts';

/**
 * A hash of the containers that each app last reported. Reporting the same ones again would make the monitor
 * read them again.
 */
const told = new Map<string, string>();
const toldAtMost = 10_000;

/**
 * Saves what a server reports about an app: the facts in the record, and the containers for the monitor,
 * which measures them, and what the plugin told beside.
 */
export async function recordAppState(
  store: Pick<Store, 'db' | 'pool'>,
  owner: Owner,
  app: AppRow,
  state: AppState,
): Promise<void> {
  if (state.kind === 'missing') return;
  await recordAppFacts(store.db, owner, app, state.facts);
  await keepReadings(store.db, owner, app.id, state.told);
  if (state.pluginGone) await forgetPlugin(store.db, owner, app.server_id);
  const ids = state.containerIds.slice(0, containersPerApp);
  const containers = hash('sha256', [...ids].sort().join(), 'base64');
  if (told.get(app.id) === containers) return;
  await nameContainers(store.pool, app.server_id, app.longname, ids);
  if (told.size >= toldAtMost) told.clear();
  told.set(app.id, containers);
}
