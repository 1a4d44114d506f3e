const seen = 'homeport.welcomed';
let shown = false;

/** Whether this browser has shown the welcome. It does so once. */
export function wasWelcomed(): boolean {
  try {
    return shown || localStorage.getItem(seen) !== null;
  } catch {
    return shown;
  }
}

export function rememberWelcome(): void {
  shown = true;
  try {
    localStorage.setItem(seen, 'yes');
  } catch {
    // If the browser refuses storage, the welcome is over for this page only.
    return;
  }
}
