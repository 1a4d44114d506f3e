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
  known: { plugin: '1.49.2', image: '26.5.1.882' },
  dump: {
    kind: 'none',
    reason:
      'Dokku’s plugin for ClickHouse makes no dumps. Back ClickHouse up with its own BACKUP and RESTORE statements.',
  },
} as const satisfies DatabaseTypeFacts<'clickhouse'>;
