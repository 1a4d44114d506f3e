const seen = 'homeport.welcomed';

/** Whether the welcome has been shown in this browser; it is shown once. */
export function wasWelcomed(): boolean {
  return localStorage.getItem(seen) !== null;
}

export function rememberWelcome(): void {
  localStorage.setItem(seen, 'yes');
}
