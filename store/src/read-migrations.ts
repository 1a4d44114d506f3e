import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Migration = {
  number: number;
  name: string;
  sql: string;
  checksum: string;
  /**
   * Programs that do not know this step run on its tables if they know the step of this number; 0: every program does. Null: only
   * programs that know the step itself.
   */
  needs: number | null;
};

/** The SQL files stay beside the program when it is bundled, too: `scripts/build.mjs` keeps this address valid. */
export const migrationsFolder = fileURLToPath(new URL('../migrations/', import.meta.url));

const fileName = /^(\d{4})_([a-z0-9_]+)\.sql$/;
/** Reads the numbered files in order. A repeated number is our mistake and not the user's, so the error is an ordinary one. */
export async function readMigrations(folder: string = migrationsFolder): Promise<Migration[]> {
  const migrations: Migration[] = [];
  for (const file of (await readdir(folder)).sort()) {
    const [, digits, name] = fileName.exec(file) ?? [];
    if (!file.endsWith('.sql')) continue;
    if (!digits || !name) throw new Error(`${file} is not named like 0001_what_it_does.sql`);
    if (Number(digits) === migrations.at(-1)?.number) throw new Error(`There are two files ${digits}_*.sql`);
    const sql = await readFile(join(folder, file), 'utf8');
    migrations.push({
      number: Number(digits),
      name,
      sql,
      checksum: checksumOf(sql),
      needs: needsOf(file, sql),
    });
  }
  return migrations;
}

/** Ignores line ends, because a checkout may have changed them. */
function checksumOf(sql: string): string {
  return createHash('sha256').update(sql.replaceAll('\r\n', '\n')).digest('hex');
}

/**
 * The first line says the stage (decision 0133). Steps of before the stages have none, and neither has one that older programs cannot bear.
 */
function needsOf(file: string, sql: string): number | null {
  const [line = ''] = sql.split('\n', 1);
  if (!line.startsWith(stageMark)) return null;
  const stage = line.slice(stageMark.length).trim();
  if (stage === 'expand') return 0;
  const [, since] = /^contract since (\d{4})$/.exec(stage) ?? [];
  if (since === undefined || Number(since) === 0)
    throw new Error(`The stage of ${file} is neither “expand” nor like “contract since 0100”`);
  return Number(since);
}

const stageMark = '-- stage: ';
