/** Saves a file with the browser's own download. No server sees its content. */
export function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  // The browser holds the data itself once it has handled the click.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Saves `text` with the browser's own download. No server sees the text. */
export function saveTextFile(name: string, text: string): void {
  saveFile(name, new Blob([text], { type: 'application/octet-stream' }));
}
