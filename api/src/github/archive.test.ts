import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { ProblemError } from '../http/problem.ts';
import { fetchArchive } from './archive.ts';
import { isArchiveAddress } from './settings.ts';

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each[Symbol.asyncDispose]();
});

async function serve(listener: RequestListener): Promise<URL> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
  const { port } = server.address() as AddressInfo;
  return new URL(`http://127.0.0.1:${port}/codeload/octo/site/legacy.tar.gz/main?token=SECRET`);
}

const gzip = { 'content-type': 'application/x-gzip' };
const piece = Buffer.alloc(1_000);

async function failureOf(work: Promise<unknown>): Promise<ProblemError> {
  const error = await work.then(
    () => null,
    (caught: unknown) => caught,
  );
  if (!(error instanceof ProblemError)) throw new Error(`It did not fail as a problem: ${String(error)}`);
  expect(JSON.stringify(error.toProblem())).not.toMatch(/SECRET|codeload/);
  return error;
}

it.each([
  ['https://github.com', 'https://codeload.github.com/octo/site/legacy.tar.gz/main?token=A', true],
  ['https://git.example.com', 'https://codeload.git.example.com/octo/site/legacy.tar.gz/main', true],
  ['https://git.example.com', 'https://git.example.com/codeload/octo/site/legacy.tar.gz/main', true],
  ['http://127.0.0.1:7090', 'http://127.0.0.1:7090/codeload/octo/site', true],
  ['https://github.com', 'http://codeload.github.com/octo/site', false],
  ['https://github.com', 'https://codeload.github.com:444/octo/site', false],
  ['https://github.com', 'https://codeload.github.com.example.org/octo/site', false],
  ['https://github.com', 'https://octo@codeload.github.com/octo/site', false],
  ['https://github.com', 'https://github.com/codeload/octo/site', false],
  ['https://github.com', 'https://api.github.com/repositories/7/tarball/main', false],
  ['https://git.example.com', 'https://codeload.github.com/octo/site', false],
  ['http://127.0.0.1:7090', 'http://127.0.0.1:7091/codeload/octo/site', false],
  ['http://127.0.0.1:7090', 'http://127.0.0.1:7090/api/v3/repositories/7/tarball/main', false],
  ['https://github.com', 'file:///etc/passwd', false],
])('says of the site %s and the address %s whether archives are there: %s', (site, address, isThere) => {
  expect(isArchiveAddress(site, new URL(address))).toBe(isThere);
});

it('hands the bytes over as they are, and sends no credential', async () => {
  const seen: unknown[] = [];
  const address = await serve((request, response) => {
    seen.push(request.headers.authorization, request.headers.cookie);
    response.writeHead(200, gzip).end(piece);
  });
  using archive = await fetchArchive({}, address, new AbortController().signal);
  const pieces = [];
  for await (const each of archive.pieces) pieces.push(each);
  expect(Buffer.concat(pieces)).toEqual(piece);
  expect(archive.failure()).toBeNull();
  expect(seen).toEqual([undefined, undefined]);
});

it('ends an archive that grows past the bound without an announcement', async () => {
  const address = await serve((_request, response) => {
    const pour = () => {
      while (response.write(piece));
    };
    response.writeHead(200, gzip).on('drain', pour);
    pour();
  });
  using archive = await fetchArchive({ archiveBytes: 2_000_000 }, address, new AbortController().signal);
  let bytes = 0;
  const drained = (async () => {
    for await (const each of archive.pieces) bytes += each.length;
  })();
  expect((await failureOf(drained)).message).toContain('larger than 2 MB');
  expect(bytes).toBeLessThanOrEqual(2_000_000);
  expect(archive.failure()?.message).toContain('larger than 2 MB');
});

it('reads from GitHub no faster than the pieces are taken', async () => {
  let sent = 0;
  const address = await serve((_request, response) => {
    const chunk = Buffer.alloc(64 * 1024);
    const pour = () => {
      do sent += chunk.length;
      while (response.write(chunk));
    };
    response.writeHead(200, gzip).on('drain', pour);
    pour();
  });
  using archive = await fetchArchive({}, address, new AbortController().signal);
  const pieces = archive.pieces[Symbol.asyncIterator]();
  await pieces.next();
  // The system's own buffers fill, and then nothing goes on.
  let before = -1;
  for (let round = 0; round < 100 && before !== sent; round += 1) {
    before = sent;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(before).toBe(sent);
  expect(sent).toBeLessThan(50_000_000);
});

it('ends an archive that stands still', async () => {
  const address = await serve((_request, response) => {
    response.writeHead(200, gzip).write(piece);
  });
  using archive = await fetchArchive({ stallMs: 50 }, address, new AbortController().signal);
  const drained = (async () => {
    for await (const each of archive.pieces) expect(each.length).toBe(1_000);
  })();
  expect((await failureOf(drained)).message).toContain('broke off');
});

it.each([301, 302, 307])('follows no redirect of status %s from there', async (status) => {
  let visits = 0;
  const address = await serve((_request, response) => {
    visits += 1;
    response.writeHead(status, { location: '/codeload/elsewhere' }).end();
  });
  const problem = await failureOf(fetchArchive({}, address, new AbortController().signal));
  expect([problem.code, visits]).toEqual(['unavailable', 1]);
});
