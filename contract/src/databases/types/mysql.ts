import type { DatabaseTypeFacts } from './type-facts.ts';

export const mysql = {
  type: 'mysql',
  title: 'MySQL',
  variable: 'DATABASE_URL',
  ports: [{ number: 3306, purpose: 'SQL' }],
  mainPort: 3306,
  hasPassword: true,
  pluginUrl: 'https://github.com/dokku/dokku-mysql.git',
  versionExample: '9.7.0',
} as const satisfies DatabaseTypeFacts<'mysql'>;
