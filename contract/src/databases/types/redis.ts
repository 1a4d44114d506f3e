import type { DatabaseTypeFacts } from './type-facts.ts';

export const redis = {
  type: 'redis',
  title: 'Redis',
  variable: 'REDIS_URL',
  ports: [{ number: 6379, purpose: 'clients' }],
  mainPort: 6379,
  hasPassword: true,
  pluginUrl: 'https://github.com/dokku/dokku-redis.git',
  known: { plugin: '1.43.0', image: '8.8.0' },
  dump: {
    kind: 'file',
    extension: 'rdb',
    content: 'a snapshot of Redis (RDB)',
    replaces: 'Every key is replaced. The database is stopped for that moment.',
    counts: { parts: null, entries: 'key' },
  },
} as const satisfies DatabaseTypeFacts<'redis'>;
