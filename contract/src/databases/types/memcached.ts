import type { DatabaseTypeFacts } from './type-facts.ts';

export const memcached = {
  type: 'memcached',
  title: 'Memcached',
  variable: 'MEMCACHED_URL',
  ports: [{ number: 11211, purpose: 'clients' }],
  mainPort: 11211,
  hasPassword: false,
  pluginUrl: 'https://github.com/dokku/dokku-memcached.git',
  known: { plugin: '1.37.4', image: '1.6.42' },
  dump: {
    kind: 'none',
    reason: 'Memcached keeps its values in memory only, so there is nothing to back up.',
  },
} as const satisfies DatabaseTypeFacts<'memcached'>;
