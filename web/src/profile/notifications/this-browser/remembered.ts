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

/** Whether it was the only one: the browser's address is that of all accounts here, and ends with the last of them. */
export function forgetLast(id: string): boolean {
  const ids = readRemembered();
  const others = ids.filter((each) => each !== id);
  keep(others);
  return ids.length > 0 && others.length === 0;
}

function keep(ids: readonly string[]): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(ids));
  } catch {
    return;
  }
}
