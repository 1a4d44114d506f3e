import type { Site } from '@homeport/contract/apps/site/schema';

export type ManageDialog =
  | { kind: 'add-domain' }
  | { kind: 'remove-domain'; domain: string }
  | { kind: 'https' }
  | { kind: 'ports' }
  | { kind: 'site'; site: Site }
  | { kind: 'storage' }
  | { kind: 'repository' }
  | { kind: 'destroy' };
