import { archiveBytes } from '@homeport/contract/github/facts';
import { ProblemError } from '../http/problem.ts';
import { GithubFailure, type Refusal, toProblem } from './refusal.ts';
import type { GithubSettings } from './settings.ts';

/** GitHub makes the archive of a large repository before its first byte comes. */
const beginsWithinMs = 60_000;
const stallMs = 60_000;
const wholeWithinMs = 30 * 60_000;

/** An archive on its way. Its pieces are read from GitHub only as fast as they are taken. */
export type ArchiveDownload = Disposable & {
  pieces: AsyncIterable<Uint8Array>;
  /** Why the pieces ended with an error; null: they did not. Whoever takes them may report an error of its own. */
  failure(): ProblemError | null;
};

type Settings = Pick<GithubSettings, 'archiveBytes'> & { stallMs?: number };

/**
 * Begins to fetch a `tar.gz` from the address that GitHub led to, without the person's token. Throws `ProblemError` where no archive
 * begins, so that nothing needs to start that would take it. Pieces past the bound, a broken connection and a stand-still end the
 * iteration with an error, never as if the archive were whole. No error holds the address.
 */
export async function fetchArchive(
  settings: Settings,
  address: URL,
  signal: AbortSignal,
): Promise<ArchiveDownload> {
  const left = new AbortController();
  const leave = () => left.abort();
  const whole = AbortSignal.any([signal, left.signal, AbortSignal.timeout(wholeWithinMs)]);
  try {
    const body = await begin(settings, address, whole, leave);
    let failure: ProblemError | null = null;
    const pieces = take(settings, body, leave, (problem) => {
      failure = problem;
    });
    return { pieces, failure: () => failure, [Symbol.dispose]: leave };
  } catch (error) {
    leave();
    throw error;
  }
}

async function begin(
  settings: Settings,
  address: URL,
  signal: AbortSignal,
  leave: () => void,
): Promise<ReadableStream<Uint8Array>> {
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    leave();
  }, beginsWithinMs);
  const response = await fetch(address, {
    // An encoding of its own would be undone on the way, and the bytes be no archive any more.
    headers: { 'user-agent': 'Homeport', 'accept-encoding': 'identity' },
    redirect: 'manual',
    signal,
  })
    .catch(() => {
      throw refused({ kind: isLate ? 'no_answer' : 'unreachable' });
    })
    .finally(() => clearTimeout(timer));
  const { status, headers, body } = response;
  if (status >= 500) throw refused({ kind: 'server_error', status });
  if (status >= 300 && status < 400) throw refused({ kind: 'redirect' });
  if (status === 404) throw refused({ kind: 'not_found' });
  if (status !== 200 || !body || !/^application\/(?:x-)?gzip\b/.test(headers.get('content-type') ?? ''))
    throw refused({ kind: 'unreadable' });
  if (Number(headers.get('content-length') ?? 0) > atMost(settings)) throw tooLarge(settings);
  return body;
}

async function* take(
  settings: Settings,
  body: ReadableStream<Uint8Array>,
  leave: () => void,
  onFailure: (problem: ProblemError) => void,
): AsyncGenerator<Uint8Array, void, void> {
  const reader = body.getReader();
  const fail = (problem: ProblemError) => {
    onFailure(problem);
    return problem;
  };
  let bytes = 0;
  try {
    for (;;) {
      // Only the wait for GitHub is counted: a server may take its pieces slowly.
      const timer = setTimeout(leave, settings.stallMs ?? stallMs);
      const { done, value } = await reader
        .read()
        .catch(() => {
          throw fail(brokenOff());
        })
        .finally(() => clearTimeout(timer));
      if (done) return;
      bytes += value.byteLength;
      if (bytes > atMost(settings)) throw fail(tooLarge(settings));
      yield value;
    }
  } finally {
    leave();
  }
}

const atMost = (settings: Settings) => settings.archiveBytes ?? archiveBytes;

const refused = (refusal: Refusal) =>
  toProblem(new GithubFailure(refusal), 'hand over the repository’s archive');

const brokenOff = () =>
  new ProblemError(
    'unavailable',
    'The archive of the repository broke off on its way from GitHub. Nothing was deployed.',
    {
      recovery: 'Run the deploy again.',
    },
  );

const tooLarge = (settings: Settings) =>
  new ProblemError(
    'conflict',
    `The archive of the repository is larger than ${Math.floor(atMost(settings) / 1_000_000)} MB. Nothing was deployed.`,
    { recovery: 'Push to the app, or set the continuous deployment up.' },
  );
