import { readFile, rename } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { StoreError } from '../store-error.ts';
import { claimIn, claimMoved, disturbed, orDisturbed } from './claim-moved.ts';
import { discard } from './discard.ts';
import { makeDurable, writeDurably } from './durable-files.ts';
import { clustersBeside, nameForKept } from './kept-clusters.ts';
import { controlOf, readKeptMark, writeKeptMark } from './kept-mark.ts';

/** A data folder, and where its cluster stands. */
type Folders = { data: string; cluster: string };
type SwitchOptions = {
  now: number;
  /** The major version of the programs that run afterwards. */
  programsMajor: number;
};

const markName = 'homeport-moved.json';
const markSchema = z.object({
  /** The major version that wrote the old cluster. */
  from: z.int(),
  /** Of the old cluster’s control file when it was read: every start of a PostgreSQL on it writes another one. */
  controlSha256: z.string(),
});
type Mark = z.output<typeof markSchema>;

/** The major version that wrote a cluster. Undefined where none is. */
export async function majorOf(cluster: string): Promise<number | undefined> {
  const text = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  return text === undefined ? undefined : Number.parseInt(text, 10);
}

/** Puts the new cluster, whose server has ended, in the place of the old one, whose server has ended too. A kill in between is finished by the next start. */
export async function switchClusters(
  folders: Folders,
  made: string,
  from: number,
  options: SwitchOptions,
): Promise<void> {
  if ((await majorOf(folders.cluster)) !== from) throw disturbed(folders.data);
  const mark: Mark = { from, controlSha256: await controlOf(folders.cluster) };
  await writeDurably(join(made, markName), JSON.stringify(mark)).catch(orDisturbed(folders.data));
  await rename(made, claimIn(folders.data)).catch(orDisturbed(folders.data));
  await makeDurable(folders.data);
  await finishSwitch(folders, options);
}

/** Ends a switch that was begun, or gives it up where the old cluster is the newer one. Throws `StoreError` where it cannot tell. */
export async function finishSwitch(folders: Folders, options: SwitchOptions): Promise<void> {
  const claim = await claimMoved(folders.data);
  if (claim === undefined) return;
  const standing = await majorOf(folders.cluster);
  const mark = await readMark(claim);
  if (mark === undefined) {
    if (standing === undefined) throw await letGo(folders, claim, 'has no mark that can be read');
    // Without the mark it is not whole, and the old cluster stands.
    return discard(claim);
  }
  if (standing === undefined) return takePlace(folders, claim);
  const control = await controlOf(folders.cluster).catch(() => undefined);
  if (control === mark.controlSha256) return succeed(folders, claim, mark, options);
  const kept = await keptOf(folders.data, mark);
  if (kept !== undefined && (await systemOf(kept)) !== (await systemOf(folders.cluster).catch(() => ''))) {
    // The old cluster has its new name already: some program made this one between the two names.
    await rename(folders.cluster, join(folders.data, await nameForKept(folders.data, standing)));
    return takePlace(folders, claim);
  }
  // With the old cluster in both places, a person may have gone on with a copy of it.
  if (kept !== undefined || standing !== mark.from || control === undefined)
    throw await letGo(folders, claim, 'does not fit the data that stand there');
  // An earlier program went on with the old cluster: the new one is out of date.
  await discard(claim);
}

async function succeed(folders: Folders, claim: string, mark: Mark, options: SwitchOptions): Promise<void> {
  // Newer programs were named for a while, and the ones of now could not read what they made.
  if (((await majorOf(claim)) ?? 0) > options.programsMajor) return discard(claim);
  const name = await nameForKept(folders.data, mark.from);
  const { now } = options;
  const { controlSha256 } = mark;
  await writeKeptMark(folders.cluster, { name, controlSha256, since: now, days: 0, countedAt: now });
  const kept = join(folders.data, name);
  await rename(folders.cluster, kept);
  await makeDurable(folders.data);
  try {
    await takePlace(folders, claim);
  } catch (error) {
    // Another process took hold of the new cluster, and what was renamed here may be that one already.
    if ((await majorOf(folders.cluster)) === undefined) await rename(kept, folders.cluster);
    throw error;
  }
}

async function takePlace(folders: Folders, claim: string): Promise<void> {
  await rename(claim, folders.cluster).catch(orDisturbed(folders.data));
  await makeDurable(folders.data);
}

/** The old cluster under its new name. A copy that somebody made before has no mark of its own. */
async function keptOf(data: string, { controlSha256 }: Mark): Promise<string | undefined> {
  for (const { name } of await clustersBeside(data)) {
    const folder = join(data, name);
    if ((await readKeptMark(folder, name))?.controlSha256 === controlSha256) return folder;
  }
  return undefined;
}

/** PostgreSQL's number of a cluster, which its copies share: a control file begins with it. */
async function systemOf(cluster: string): Promise<string> {
  return (await readFile(join(cluster, 'global/pg_control'))).subarray(0, 8).toString('hex');
}

async function readMark(claim: string): Promise<Mark | undefined> {
  try {
    return markSchema.parse(JSON.parse(await readFile(join(claim, markName), 'utf8')));
  } catch {
    return undefined;
  }
}

/** Both clusters stay. A person has to choose. */
async function letGo({ data, cluster }: Folders, claim: string, why: string): Promise<StoreError> {
  const moved = join(data, 'postgres.moved');
  await rename(claim, moved);
  const beside = (await clustersBeside(data)).map(({ name }) => join(data, name));
  return new StoreError(
    'folder_unusable',
    `${moved}, which a move to a newer PostgreSQL made for ${cluster}, ${why}.`,
    `Nothing was removed. ${beside.length > 0 ? `The data of before are in ${beside.join(' or ')}. ` : ''}Move ${moved} to another folder, give the data that you want the name ${basename(cluster)}, and start again.`,
  );
}
