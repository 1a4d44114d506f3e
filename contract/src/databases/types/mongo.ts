import type { DatabaseTypeFacts } from './type-facts.ts';

export const mongo = {
  type: 'mongo',
  title: 'MongoDB',
  variable: 'MONGO_URL',
  ports: [
    { number: 27017, purpose: 'clients' },
    { number: 27018, purpose: 'shards' },
    { number: 27019, purpose: 'config servers' },
    { number: 28017, purpose: 'status page' },
  ],
  mainPort: 27017,
  hasPassword: true,
  pluginUrl: 'https://github.com/dokku/dokku-mongo.git',
  known: { plugin: '1.40.6', image: '8.2.9' },
  dump: {
    kind: 'file',
    extension: 'archive.gz',
    content: 'a compressed archive of mongodump',
    // The plugin gives mongorestore no --drop.
    replaces: 'Documents that are gone come back. Documents that are there stay as they are, changed or not.',
    counts: { parts: 'collection', entries: 'document' },
  },
} as const satisfies DatabaseTypeFacts<'mongo'>;
