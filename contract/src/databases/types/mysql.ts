import type { DatabaseTypeFacts } from './type-facts.ts';

export const mysql = {
  type: 'mysql',
  title: 'MySQL',
  variable: 'DATABASE_URL',
  ports: [{ number: 3306, purpose: 'SQL' }],
  mainPort: 3306,
  hasPassword: true,
  pluginUrl: 'https://github.com/dokku/dokku-mysql.git',
  known: { plugin: '1.44.3', image: '9.7.0' },
  dump: {
    kind: 'file',
    extension: 'sql',
    content: 'SQL statements of mysqldump',
    replaces: 'Each table that the dump holds is replaced. Tables that came later stay.',
    counts: { parts: 'table', entries: 'row' },
  },
} as const satisfies DatabaseTypeFacts<'mysql'>;
