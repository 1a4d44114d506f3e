import { gunzipSync } from 'node:zlib';
import type { ArchiveExchange } from '../src/github/index.ts';

const blockBytes = 512;

/**
 * What is wrong with a request for an archive and its answer. GitHub's OpenAPI document ends at the redirect to the archive, so this
 * holds what its documentation says of the rest: an address with a token of its own, no credential, and what `git archive` writes
 * (git-archive(1), POSIX ustar).
 */
export function checkArchive({ requestBody, bytes, ...exchange }: ArchiveExchange): string[] {
  const { method, path, query, headers, status, contentType } = exchange;
  const wrong: string[] = [];
  const must = (holds: boolean, what: string) => {
    if (!holds) wrong.push(what);
  };
  must(method === 'GET', 'An archive is read with GET.');
  must(
    /^\/codeload\/[\w-]+\/[\w.-]+\/legacy\.tar\.gz\/[\w./-]+$/.test(path),
    `${path} is not an archive’s path.`,
  );
  must(requestBody === '', 'The request takes no body.');
  for (const name of ['authorization', 'cookie', 'x-github-api-version'])
    must(headers[name] === undefined, `The host of archives gets no ${name}.`);
  must(headers['accept-encoding'] === 'identity', 'Another encoding would change the bytes of the archive.');
  must(
    [...query.keys()].every((name) => name === 'token'),
    'The address has a token and nothing else.',
  );
  must(status === 200, `It was answered ${status}.`);
  if (status !== 200) return wrong;
  must(contentType === 'application/x-gzip', `${contentType} is no archive.`);
  return [...wrong, ...checkTar(gunzipSync(bytes))];
}

type Entry = { name: string; kind: string; content: Buffer };

function checkTar(tar: Buffer): string[] {
  const entries: Entry[] = [];
  let at = 0;
  while (at < tar.length && tar[at] !== 0) {
    const header = tar.subarray(at, at + blockBytes);
    const octal = (from: number, length: number) =>
      Number.parseInt(header.toString('latin1', from, from + length), 8);
    const field = (from: number, length: number) =>
      header.toString('utf8', from, from + length).split('\0', 1)[0] ?? '';
    // The sum takes its own field as eight spaces.
    const sum = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0);
    if (octal(148, 7) !== sum) return [`The checksum of ${field(0, 100)} is wrong.`];
    if (field(257, 6) !== 'ustar') return [`${field(0, 100)} is no entry of a ustar file.`];
    const size = octal(124, 12);
    const content = tar.subarray(at + blockBytes, at + blockBytes + size);
    entries.push({ name: field(0, 100), kind: field(156, 1), content });
    at += blockBytes + Math.ceil(size / blockBytes) * blockBytes;
  }
  const end = tar.subarray(at);
  if (end.length < 2 * blockBytes || end.some((byte) => byte !== 0))
    return ['The archive has no end of two empty blocks.'];
  return checkEntries(entries);
}

/** The commit in a global header, then one folder and what lies below it. */
function checkEntries([first, top, ...files]: readonly Entry[]): string[] {
  const wrong: string[] = [];
  if (first?.kind !== 'g' || !/^52 comment=[0-9a-f]{40}\n$/.test(first.content.toString('latin1')))
    wrong.push('The archive does not begin with the name of its commit.');
  if (top?.kind !== '5' || !/^[\w.-]+\/$/.test(top.name)) wrong.push('The archive has no folder of its own.');
  const outside = files.filter(({ name }) => !name.startsWith(top?.name ?? '/') || name.includes('../'));
  if (outside.length > 0) wrong.push(`${outside[0]?.name} lies outside of the archive’s folder.`);
  return wrong;
}
