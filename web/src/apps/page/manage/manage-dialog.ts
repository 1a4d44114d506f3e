export type ManageDialog =
  | { kind: 'add-domain' }
  | { kind: 'remove-domain'; domain: string }
  | { kind: 'https' }
  | { kind: 'ports' }
  | { kind: 'storage' }
  | { kind: 'repository' }
  | { kind: 'destroy' };
