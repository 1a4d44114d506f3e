import type { ServerSchedule } from '@homeport/contract/backups/schema';
import type { DatabaseLink, Dump } from '@homeport/contract/databases/schema';

export type DatabaseDialog =
  | { kind: 'name' }
  | { kind: 'link' }
  | { kind: 'unlink'; link: DatabaseLink }
  | { kind: 'promote'; link: DatabaseLink }
  | { kind: 'expose' }
  | { kind: 'unexpose' }
  | { kind: 'stop' }
  | { kind: 'restore'; dump: Dump }
  | { kind: 'test-dump'; dump: Dump }
  | { kind: 'delete-dump'; dump: Dump }
  | { kind: 'schedule' | 'remove-schedule'; told: Extract<ServerSchedule, { kind: 'told' }> }
  | { kind: 'delete' };
