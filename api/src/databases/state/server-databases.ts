import type { FoundDatabase } from '@homeport/contract/databases/schema';
import { type DatabaseTypeName, databaseTypeNames } from '@homeport/contract/databases/types/database-types';
import { databasesListed } from '@homeport/contract/limits';
import { plugin, service, serviceName, serviceNameSchema } from '@homeport/dokku';
import type { Run } from '../../remote/run-command.ts';
import { readDatabaseStates } from './plugin-state.ts';
import { readEnd } from './read-end.ts';

type Service = { type: DatabaseTypeName; longname: string };

export const keyOf = ({ type, longname }: Service) => `${type} ${longname}`;

/** Reading a service without Homeport’s plugin costs the server half a second of processor time. */
const readAtMost = 50;

/**
 * The databases that a server has and that are not `known`, with their states and apps: with Homeport’s plugin in one
 * start of Dokku, without it one database after the other. Databases beyond the first 50 then come without these.
 */
export async function findDatabases(
  run: Run,
  ownPlugin: string | null,
  known: ReadonlySet<string>,
): Promise<FoundDatabase[]> {
  const told = ownPlugin === null ? null : await readDatabaseStates(run);
  if (told)
    return told
      .map(({ type, name, state, links }) => ({
        type,
        longname: name,
        state,
        apps: links.map(({ app }) => app),
      }))
      .filter((each) => serviceNameSchema.safeParse(each.longname).success && !known.has(keyOf(each)))
      .slice(0, databasesListed);
  const found: FoundDatabase[] = [];
  for (const each of await listServices(run)) {
    if (known.has(keyOf(each))) continue;
    found.push(
      found.length < readAtMost ? await readOutline(run, each) : { ...each, state: 'unknown', apps: [] },
    );
  }
  return found;
}

/** The services of every type that the server has a plugin for, each once. */
export async function listServices(run: Run): Promise<Service[]> {
  const listed = plugin.readList(await run(plugin.list()));
  const services: Service[] = [];
  for (const type of databaseTypeNames) {
    if (!listed.some(({ name, enabled }) => name === type && enabled)) continue;
    const names = new Set(service.readList(await run(service.list(type))));
    for (const longname of names)
      if (serviceNameSchema.safeParse(longname).success) services.push({ type, longname });
  }
  return services.slice(0, databasesListed);
}

async function readOutline(run: Run, { type, longname }: Service): Promise<FoundDatabase> {
  const ran = await run(service.info(type, serviceName(longname)), { accept: 'any', quiet: true });
  if (ran.exitCode !== 0) return { type, longname, state: 'unknown', apps: [] };
  const { state, links } = service.readInfo(ran);
  return { type, longname, state: (await readEnd(run, { type, longname }, state)).state, apps: [...links] };
}
