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
