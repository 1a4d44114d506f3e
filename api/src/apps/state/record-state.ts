import type { Owner, Store } from '@homeport/store';
import { type AppRow, hasNewFacts, recordAppFacts } from '../../records/app-record.ts';
import { areNamed, recordContainers } from '../../records/container-names.ts';
import { keepReadings } from '../../records/reading-record.ts';
import { forgetPlugin } from '../../records/server-record.ts';
import type { AppReading } from './app-state.ts';

/** Whether the store holds already what a server reports about an app. Writes nothing. */
export async function isRecorded(
  store: Pick<Store, 'pool'>,
  app: AppRow,
  state: AppReading,
): Promise<boolean> {
  if (state.kind === 'missing') return app.missing_since !== null;
  return !hasNewFacts(app, state.facts) && (await areNamed(store, seriesOf(app), state.containerIds));
}

/**
 * Saves what a server reports about an app: that it no longer has the app, or the facts in the record, and the containers for the monitor,
 * which measures them, and what the plugin told beside.
 */
export async function recordAppState(
  store: Pick<Store, 'db' | 'pool'>,
  owner: Owner,
  app: AppRow,
  state: AppReading,
): Promise<void> {
  if (state.kind === 'missing') {
    if (app.missing_since === null) await recordAppFacts(store.db, owner, app, { missing_since: Date.now() });
    return;
  }
  // First, because a page that hears of a deploy asks the server for whatever was read before it.
  await keepReadings(store.db, owner, app.id, state.told);
  await recordAppFacts(store.db, owner, app, state.facts);
  if (state.pluginGone) await forgetPlugin(store.db, owner, app.server_id);
  await recordContainers(store, seriesOf(app), state.containerIds);
}

const seriesOf = ({ server_id, longname }: AppRow) => ({ serverId: server_id, name: longname });
