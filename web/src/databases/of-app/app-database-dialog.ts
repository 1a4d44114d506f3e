import type { Database, DatabaseLink } from '@homeport/contract/databases/schema';

export type AppDatabaseDialog =
  | { kind: 'link' }
  | { kind: 'unlink' | 'promote'; database: Database; link: DatabaseLink };
