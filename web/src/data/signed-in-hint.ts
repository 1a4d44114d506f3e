const name = 'homeport.signed-in';

/** Whether somebody was signed in here when this browser last knew. The cookie itself is out of a script's sight. */
export function wasSignedIn(): boolean {
  return localStorage.getItem(name) === 'yes';
}

/** Kept so that the next load asks early only for what it may read. */
export function rememberSignedIn(signedIn: boolean): void {
  if (signedIn) localStorage.setItem(name, 'yes');
  else localStorage.removeItem(name);
}
