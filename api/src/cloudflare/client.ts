import type { z } from 'zod';
import { envelopeSchema } from './answers.ts';
import { type Credential, proofHeaders } from './credential.ts';
import type { Limiter } from './limiter.ts';
import { answerWithinMs, CloudflareFailure, type Refusal } from './refusal.ts';

export type CloudflareRequest<S extends z.ZodType> = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the base address, with ids that were checked. */
  path: string;
  query?: Record<string, string>;
  body?: object;
  /** What `result` has to be. */
  result: S;
  signal?: AbortSignal | undefined;
};

export type CloudflareAnswer<T> = { result: T; pages: number };

/** Sends a request with a credential. Throws `CloudflareFailure` for everything that is not a good answer. */
export type Cloudflare = <S extends z.ZodType>(
  credential: Credential,
  request: CloudflareRequest<S>,
) => Promise<CloudflareAnswer<z.output<S>>>;

/** A page of 500 records is some 300 kB. */
const answerBytes = 2 * 1024 * 1024;

/**
 * A client of Cloudflare's API v4. `baseUrl` includes `/client/v4`. Nothing is tried twice: a change may have been made although its
 * answer was lost.
 */
export function createCloudflare({ baseUrl, limiter }: { baseUrl: string; limiter: Limiter }): Cloudflare {
  return async (credential, { method, path, query = {}, body, result, signal }) => {
    const waitMs = limiter.take(credential);
    if (waitMs > 0) throw new CloudflareFailure({ kind: 'too_many', waitMs });
    const address = new URL(`${baseUrl}${path}`);
    address.search = new URLSearchParams(query).toString();
    const deadline = AbortSignal.timeout(answerWithinMs);
    const { response, text } = await exchange(address, {
      method,
      headers: {
        ...proofHeaders(credential),
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      // A redirect would carry the credential to another address.
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    });
    obeyHeaders(limiter, credential, response);
    return readAnswer(response, text, result);
  };
}

/** The answer with its body. Never throws what `fetch` threw: such an error may hold the request. */
async function exchange(address: URL, init: RequestInit): Promise<{ response: Response; text: string }> {
  try {
    const response = await fetch(address, init);
    return { response, text: await readBounded(response) };
  } catch (error) {
    if (error instanceof CloudflareFailure) throw error;
    const name = error instanceof Error ? error.name : '';
    throw new CloudflareFailure({ kind: name === 'TimeoutError' ? 'no_answer' : 'unreachable' });
  }
}

async function readBounded(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.byteLength;
    // Leaving the loop cancels the rest of the body.
    if (bytes > answerBytes) throw new CloudflareFailure({ kind: 'too_long' });
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function readAnswer<S extends z.ZodType>(
  response: Response,
  text: string,
  schema: S,
): CloudflareAnswer<z.output<S>> {
  if (response.status === 429) {
    throw new CloudflareFailure({
      kind: 'too_many',
      waitMs: secondsOf(response, 'retry-after', 300) * 1_000,
    });
  }
  if (response.status >= 300 && response.status < 400) throw new CloudflareFailure({ kind: 'redirect' });
  const isJson = /^application\/json\b/i.test(response.headers.get('content-type') ?? '');
  const envelope = isJson ? envelopeSchema.safeParse(parseJson(text)) : undefined;
  if (response.status >= 500) throw new CloudflareFailure({ kind: 'server_error', status: response.status });
  if (!envelope?.success) {
    throw new CloudflareFailure({ kind: isJson ? 'unreadable' : 'not_json', status: response.status });
  }
  const { success, errors, result, result_info } = envelope.data;
  if (!success || !response.ok) {
    throw new CloudflareFailure({ kind: 'refused', status: response.status, errors } satisfies Refusal);
  }
  const read = schema.safeParse(result);
  if (!read.success) throw new CloudflareFailure({ kind: 'unreadable', status: response.status });
  return { result: read.data, pages: result_info?.total_pages ?? 1 };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `Ratelimit: "default";r=0;t=30`: no request is left for 30 seconds. */
function obeyHeaders(limiter: Limiter, credential: Credential, response: Response): void {
  if (response.status === 429) {
    limiter.refuse(credential, secondsOf(response, 'retry-after', 300) * 1_000);
    return;
  }
  const [, left, seconds] =
    /;r=(\d{1,9});t=(\d{1,9})\b/.exec(response.headers.get('ratelimit')?.slice(0, 200) ?? '') ?? [];
  if (left !== undefined && Number(left) === 0) limiter.refuse(credential, Number(seconds) * 1_000);
}

function secondsOf(response: Response, header: string, otherwise: number): number {
  const value = response.headers.get(header)?.trim() ?? '';
  return /^\d{1,6}$/.test(value) ? Number(value) : otherwise;
}
