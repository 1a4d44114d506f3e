import type { DatabaseTypeFacts } from './type-facts.ts';

export const clickhouse = {
  type: 'clickhouse',
  title: 'ClickHouse',
  variable: 'CLICKHOUSE_URL',
  ports: [
    { number: 9000, purpose: 'native clients' },
    { number: 8123, purpose: 'HTTP' },
  ],
  mainPort: 9000,
  hasPassword: true,
  pluginUrl: 'https://github.com/dokku/dokku-clickhouse.git',
  versionExample: '26.5',
} as const satisfies DatabaseTypeFacts<'clickhouse'>;
