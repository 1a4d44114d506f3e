import { saveFile } from '../ui/save-file.ts';

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
  saveFile(name, new Blob([text], { type: 'application/octet-stream' }));
}
