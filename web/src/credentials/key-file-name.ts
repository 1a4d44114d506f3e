/** A file name that every system accepts: letters, digits, dots and dashes. */
export function keyFileName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, '-');
  return /[a-z0-9](?:.*[a-z0-9])?/.exec(plain)?.[0] ?? 'homeport-key';
}
