const key = 'homeport.deploy-hint';

/** Whether this browser has shown how to deploy by itself already; where storage is refused, it is taken as shown. */
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
