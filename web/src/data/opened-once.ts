/** A dialog that opens once by itself, named as in the browser's storage. */
export type OnceDialog = 'homeport.welcomed' | 'homeport.key-help' | 'homeport.deploy-hint';

/** Accounts that one browser remembers for a dialog. */
const accountsKept = 20;
/** What this page has shown, for a browser that refuses storage. */
const shownHere = new Set<string>();

/** Whether the dialog has opened by itself for this account in this browser. Several people may share the browser. */
export function wasOpened(dialog: OnceDialog, account: string): boolean {
  const accounts = read(dialog);
  return shownHere.has(`${dialog} ${account}`) || accounts === 'everybody' || accounts.includes(account);
}

export function rememberOpened(dialog: OnceDialog, account: string): void {
  shownHere.add(`${dialog} ${account}`);
  const accounts = read(dialog);
  if (accounts === 'everybody') return;
  const kept = [account, ...accounts.filter((each) => each !== account)].slice(0, accountsKept);
  try {
    localStorage.setItem(dialog, JSON.stringify(kept));
  } catch {
    // Without storage the dialog is over for this page only.
    return;
  }
}

/** Earlier versions kept one word for the whole browser. */
function read(dialog: OnceDialog): readonly string[] | 'everybody' {
  try {
    const text = localStorage.getItem(dialog);
    if (text === null) return [];
    if (!text.startsWith('[')) return 'everybody';
    const accounts: unknown = JSON.parse(text);
    return Array.isArray(accounts) ? accounts.filter((each) => typeof each === 'string') : [];
  } catch {
    return [];
  }
}
