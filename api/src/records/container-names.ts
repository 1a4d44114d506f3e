import { containersPerApp } from '@homeport/contract/limits';
import { nameContainers, namedContainers, type Store, shortContainerId } from '@homeport/store';

/** Whose containers they are: `apps.longname`, or the `databaseSeries` of a database, on a server. */
type Series = { serverId: string; name: string };

/** Whether the monitor knows these containers, and no others, as those of the series. Writes nothing. */
export async function areNamed(
  { pool }: Pick<Store, 'pool'>,
  { serverId, name }: Series,
  containerIds: readonly string[],
): Promise<boolean> {
  const present = new Set(containerIds.slice(0, containersPerApp).map(shortContainerId));
  const named = await namedContainers(pool, serverId, name);
  return named.length === present.size && named.every((id) => present.has(id));
}

/** Tells the monitor whose containers these are, so that it measures them. */
export async function recordContainers(
  store: Pick<Store, 'pool'>,
  series: Series,
  containerIds: readonly string[],
): Promise<void> {
  // Naming the same containers again would make the monitor read them again.
  if (await areNamed(store, series, containerIds)) return;
  await nameContainers(store.pool, series.serverId, series.name, containerIds.slice(0, containersPerApp));
}
