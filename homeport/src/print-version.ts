import { readMigrations, shippedPostgres } from '@homeport/store';
import { commit, version } from './version.ts';

/** What this program is, for programs: it reads no data and needs none. */
export async function versionsAsJson(): Promise<string> {
  const schema = (await readMigrations()).at(-1)?.number ?? 0;
  return JSON.stringify({
    ...{ version, commit, node: process.versions.node, schema },
    postgres: shippedPostgres(),
  });
}
