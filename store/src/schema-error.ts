import type { Migration } from './read-migrations.ts';
import { StoreError } from './store-error.ts';

export function newerSchema(theirs: number, ours: number): StoreError {
  return new StoreError(
    'newer_schema',
    `The data was written by a newer Homeport (schema ${theirs}; this program knows up to ${ours}).`,
    'Start the newer version, or choose another data folder with --data (or another DATABASE_URL).',
  );
}

export function olderSchema(found: 'none' | 'older'): StoreError {
  const fault =
    found === 'none'
      ? 'There are no tables of Homeport in this database yet.'
      : 'The data are of an older Homeport.';
  return new StoreError(
    'older_schema',
    `${fault} The console (its api or monitor) brings the data up to date first.`,
    'Start a console of this version with api or monitor on the same database. This process changes no tables.',
  );
}

export function tableHeld({ number, name }: Pick<Migration, 'number' | 'name'>, cause: unknown): StoreError {
  const file = String(number).padStart(4, '0');
  return new StoreError(
    'table_held',
    `The data could not be brought up to date: another program holds a table that the schema step ${file} (${name}) changes.`,
    'Nothing of this step was done. End long transactions on the database (another console, a backup, psql), then start again.',
    cause,
  );
}

export function stepTooLong(
  { number, name }: Pick<Migration, 'number' | 'name'>,
  seconds: number,
  cause: unknown,
): StoreError {
  const file = String(number).padStart(4, '0');
  return new StoreError(
    'step_too_long',
    `The data could not be brought up to date: PostgreSQL ended the schema step ${file} (${name}), whose statements may take ${seconds} s each.`,
    'Nothing of this step was done; the steps before it are kept. Start again when the machine has less to do. If the step never passes: make a backup with this version, and restore it with this version into a new data folder or database, which takes the time that it needs.',
    cause,
  );
}

/** For a backup by an older program: it would leave out what it does not know, without a word. */
export function tablesOfNewer(theirs: number): StoreError {
  return new StoreError(
    'newer_schema',
    `The tables are of a newer Homeport (schema ${theirs}). This program runs on them, but a backup by it would lack what it does not know.`,
    'Make the backup with the newer version. Nothing was written.',
  );
}

export function edited(
  applied: Pick<Migration, 'number' | 'name'>,
  ours: Pick<Migration, 'name'>,
): StoreError {
  const number = String(applied.number).padStart(4, '0');
  return new StoreError(
    'edited_migration',
    `The data was written by a different Homeport: its schema step ${number} (${applied.name}) is not this program's (${ours.name}).`,
    'Start the version that wrote the data, or choose another data folder. A schema step that has run is never edited: changes go into a new step.',
  );
}

export function noData(): StoreError {
  return new StoreError(
    'no_data',
    'There is no console’s data in this database.',
    'Name the console’s data folder with --data, or its DATABASE_URL.',
  );
}
