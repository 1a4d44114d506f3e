import type { DatabaseLink } from '@homeport/contract/databases/schema';

export type DatabaseDialog =
  | { kind: 'name' }
  | { kind: 'link' }
  | { kind: 'unlink'; link: DatabaseLink }
  | { kind: 'promote'; link: DatabaseLink }
  | { kind: 'expose' }
  | { kind: 'unexpose' }
  | { kind: 'stop' }
  | { kind: 'delete' };
