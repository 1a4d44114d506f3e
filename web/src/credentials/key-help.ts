const shown = 'homeport.key-help';

/** Whether the instructions have opened by themselves in this browser. They do so once. */
export function wasKeyHelpShown(): boolean {
  return localStorage.getItem(shown) !== null;
}

export function rememberKeyHelp(): void {
  localStorage.setItem(shown, 'yes');
}
