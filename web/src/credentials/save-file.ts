/** A name that every system takes as a file's: letters, digits, dots and dashes. */
export function keyFileName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, '-');
  return /[a-z0-9](?:.*[a-z0-9])?/.exec(plain)?.[0] ?? 'homeport-key';
}

/** Hands `text` to the browser's own saving; it goes to no server. */
export function saveTextFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/octet-stream' }));
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  // The browser has taken hold of the data once the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
