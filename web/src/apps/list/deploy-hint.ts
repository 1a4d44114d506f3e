const key = 'homeport.deploy-hint';

/**
 * Whether this browser has already opened the deploy guide by itself. If the browser refuses storage, the
 * answer is yes.
 */
export function deployHintShown(): boolean {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return true;
  }
}

export function rememberDeployHint(): void {
  try {
    localStorage.setItem(key, 'shown');
  } catch {
    return;
  }
}
