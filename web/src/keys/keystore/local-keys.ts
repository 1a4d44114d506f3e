/**
 * A line of the local list `_keys`. The list must never hold a secret. The specification gives the field
 * names.
 */
export interface LocalKey {
  id: string;
  name: string;
  /** The public line. */
  key: string;
  /** MD5 with colons. */
  fingerprint: string;
  user: string;
  created_at: number;
  local: true;
}

const listName = '_keys';

/** The local keys of one account. Local storage may hold anything, so lines of another form are skipped. */
export function readLocalKeys(user: string): LocalKey[] {
  return readAll().filter((key) => key.user === user);
}

export function rememberLocalKey(key: LocalKey): void {
  writeAll([...readAll().filter((other) => !isSame(other, key.user, key.id)), key]);
}

export function forgetLocalKey(user: string, id: string): void {
  writeAll(readAll().filter((other) => !isSame(other, user, id)));
}

function isSame(key: LocalKey, user: string, id: string): boolean {
  return key.user === user && key.id === id;
}

function readAll(): LocalKey[] {
  let list: unknown;
  try {
    list = JSON.parse(localStorage.getItem(listName) ?? '[]');
  } catch {
    return [];
  }
  return Array.isArray(list) ? list.filter(isLocalKey) : [];
}

function writeAll(keys: LocalKey[]): void {
  const named = keys.map(({ id, name, key, fingerprint, user, created_at, local }) => {
    return { id, name, key, fingerprint, user, created_at, local };
  });
  localStorage.setItem(listName, JSON.stringify(named));
}

function isLocalKey(value: unknown): value is LocalKey {
  if (typeof value !== 'object' || value === null) return false;
  const { id, name, key, fingerprint, user, created_at, local } = value as Record<string, unknown>;
  const texts = [id, name, key, fingerprint, user].every((text) => typeof text === 'string');
  return texts && typeof created_at === 'number' && local === true;
}
