import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { type Answer, type Asked, refuse } from './answer.ts';
import { filesOf } from './git-objects.ts';
import { type Repository, type State, shaOf } from './state.ts';

/** `GET …/tarball/{ref}`: leads to the archive with a token of its own, as GitHub does for a private repository. */
export function leadToArchive({ state, site }: Asked, repository: Repository, ref: string): Answer {
  const sha = shaOf(repository, ref);
  if (sha === undefined) return refuse(404, 'Not Found');
  const token = randomBytes(12).toString('hex').toUpperCase();
  state.archives.set(token, { repository, sha });
  const path = `/codeload/${repository.owner.login}/${repository.name}/legacy.tar.gz/${sha}`;
  return { status: 302, headers: { location: `${site}${path}?token=${token}` } };
}

/** A request for an archive and the answer, as they went over the wire. */
export type ArchiveExchange = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  requestBody: string;
  status: number;
  contentType: string;
  bytes: Buffer;
};

/**
 * Serves `/codeload/…` where GitHub Enterprise Server without subdomains has it. Returns false for any other path. The person's token
 * has no business here: with one the archive is refused. `onExchange` sees each request with its answer, but for those that are
 * faulty on purpose.
 */
export function serveArchive(
  state: State,
  request: IncomingMessage,
  response: ServerResponse,
  onExchange: (exchange: Omit<ArchiveExchange, 'requestBody'>) => void,
): boolean {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://codeload.invalid');
  if (!pathname.startsWith('/codeload/')) return false;
  const { method = '', headers: asked } = request;
  const told = { method, path: pathname, query: searchParams, headers: asked };
  const archive = state.archives.get(searchParams.get('token') ?? '');
  if (!archive || request.headers.authorization !== undefined) {
    response.writeHead(404).end('404: Not Found');
    onExchange({ ...told, status: 404, contentType: '', bytes: Buffer.alloc(0) });
    return true;
  }
  const { repository, sha } = archive;
  const bytes = gzipSync(tarOf(repository, sha));
  const half = bytes.subarray(0, bytes.length / 2);
  const headers = { 'content-type': 'application/x-gzip' };
  const fault = state.archiveFault;
  if (fault === 'announces_too_much')
    response.writeHead(200, { ...headers, 'content-length': String(2 ** 40) }).write(half);
  else if (fault === 'half') response.writeHead(200, headers).end(half);
  else if (fault === null) {
    response.writeHead(200, headers).end(bytes);
    onExchange({ ...told, status: 200, contentType: headers['content-type'], bytes });
  } else
    response.writeHead(200, headers).write(half, () => {
      if (fault === 'cut_off') response.destroy();
    });
  return true;
}

/** As `git archive` makes it: the commit in a global header, and all files below one folder. */
function tarOf({ owner, name, objects }: Repository, sha: string): Buffer {
  const comment = `52 comment=${sha}\n`;
  const top = `${owner.login}-${name}-${sha.slice(0, 7)}/`;
  return Buffer.concat([
    ...entry('pax_global_header', 'g', Buffer.from(comment)),
    ...entry(top, '5', Buffer.alloc(0)),
    ...filesOf(objects, sha).flatMap(([path, content]) => entry(top + path, '0', content)),
    Buffer.alloc(2 * blockBytes),
  ]);
}

const blockBytes = 512;

/** One entry of a tar file (POSIX ustar): a header, and the content up to a whole block. */
function entry(path: string, kind: '0' | '5' | 'g', content: Buffer): Buffer[] {
  if (Buffer.byteLength(path) > 100) throw new Error(`The path is too long for this tar: ${path}`);
  const header = Buffer.alloc(blockBytes);
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');
  header.write(path, 0);
  header.write(`${octal(kind === '5' ? 0o775 : 0o664, 7)}\0`, 100);
  header.write(`${octal(0, 7)}\0${octal(0, 7)}\0`, 108);
  header.write(`${octal(content.length, 11)}\0${octal(0, 11)}\0`, 124);
  header.write(`${' '.repeat(8)}${kind}`, 148);
  header.write('ustar\u000000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)}\0 `, 148);
  const rest = content.length % blockBytes;
  return [header, content, Buffer.alloc(rest === 0 ? 0 : blockBytes - rest)];
}
