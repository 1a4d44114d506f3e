const seen = 'homeport.welcomed';
let shown = false;

/** Whether the welcome has been shown in this browser; it is shown once. */
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
    // Storage may be refused; the welcome is then over for this page only.
    return;
  }
}
