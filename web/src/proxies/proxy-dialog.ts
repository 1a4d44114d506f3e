import type { ProxyRule } from '@homeport/contract/proxies/schema';

export type ProxyDialog =
  | { kind: 'add-rule' }
  | { kind: 'edit-rule'; rule: ProxyRule; place: number }
  | { kind: 'name' }
  | { kind: 'domain' }
  | { kind: 'source' }
  | { kind: 'purge' }
  | { kind: 'delete' };
