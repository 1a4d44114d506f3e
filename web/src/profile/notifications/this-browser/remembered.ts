/** Destinations that this browser is, of all accounts that were signed in here. */
const storageKey = 'homeport.push';
const most = 20;

/** Without storage a dropped browser is not seen here; the console sees it with the next message. */
export function readRemembered(): readonly string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

export function remember(id: string): void {
  keep([id, ...readRemembered().filter((each) => each !== id)].slice(0, most));
}

export function forget(id: string): void {
  keep(readRemembered().filter((each) => each !== id));
}

function keep(ids: readonly string[]): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(ids));
  } catch {
    return;
  }
}
