/** A file name that every system accepts: letters, digits, dots and dashes. */
export function keyFileName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, '-');
  return /[a-z0-9](?:.*[a-z0-9])?/.exec(plain)?.[0] ?? 'homeport-key';
}

/** Saves `text` with the browser's own download. No server sees the text. */
export function saveTextFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/octet-stream' }));
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  // The browser holds the data itself once it has handled the click.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
