import type { DatabaseTypeFacts } from './type-facts.ts';

export const postgres = {
  type: 'postgres',
  title: 'PostgreSQL',
  variable: 'DATABASE_URL',
  ports: [{ number: 5432, purpose: 'SQL' }],
  mainPort: 5432,
  hasPassword: true,
  pluginUrl: 'https://github.com/dokku/dokku-postgres.git',
  known: { plugin: '1.48.0', image: '18.4' },
  dump: {
    kind: 'file',
    extension: 'pgdump',
    content: 'an archive of pg_dump',
    replaces: 'Each table that the dump holds is replaced. Tables that came later stay.',
    counts: { parts: 'table', entries: 'row' },
  },
} as const satisfies DatabaseTypeFacts<'postgres'>;
