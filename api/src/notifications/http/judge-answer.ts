import { STATUS_CODES } from 'node:http';
import type { Delivered } from '../channel.ts';
import { Overdue, type Posted } from './post-once.ts';

export type Answered = Extract<Posted, { kind: 'answered' }>;

/** What an answer of a known service says beyond its status. `why` is a sentence's end in the console's words. */
export type Meaning = { outcome?: 'failed' | 'refused' | 'broken'; why?: string; retryAfterMs?: number };

/**
 * What became of a message, by the status of the answer alone, in the console's words: nothing of the other end's text reaches a
 * page. 408, 425, 429 and 5xx may pass; 401, 403, 404 and 410 are about the destination, and everything else about this message.
 *
 * @param who the other end, as its person knows it: `hooks.example.com`, `Slack`
 * @param read what the service's own words mean, of an answer that is no success
 */
export function judgeAnswer(
  posted: Posted,
  who: string,
  read: (answer: Answered) => Meaning = () => ({}),
): Delivered {
  switch (posted.kind) {
    case 'refused':
      return {
        outcome: 'broken',
        answer: `Nothing was sent: ${who} is at an address that this console does not send to.`,
      };
    case 'no_way':
      return { outcome: 'failed', answer: sayNoWay(who) };
    case 'failed':
      return { outcome: 'failed', answer: sayFailure(posted.error, who) };
    case 'answered':
      return judgeStatus(posted, who, read);
  }
}

function judgeStatus(answered: Answered, who: string, read: (answer: Answered) => Meaning): Delivered {
  const { status } = answered;
  if (status >= 200 && status < 300)
    return { outcome: 'sent', answer: `${who} answered ${sayStatus(status)}.` };
  const { outcome = outcomeOf(status), why, retryAfterMs = answered.retryAfterMs } = read(answered);
  const said = `${who} answered ${sayStatus(status)}${why === undefined ? '' : `: ${why}`}`;
  if (outcome === 'failed')
    return { outcome, answer: `${said}.`, ...(retryAfterMs !== null && { retryAfterMs }) };
  if (outcome === 'broken')
    return { outcome, answer: `${said}, so nothing is sent there until a test succeeds or you change it.` };
  if (status >= 300 && status < 400)
    return {
      outcome: 'refused',
      answer: `${said}. Redirects are not followed: enter the address that it leads to.`,
    };
  return { outcome: 'refused', answer: `${said}.` };
}

function outcomeOf(status: number): 'failed' | 'refused' | 'broken' {
  if (passing.has(status) || status >= 500) return 'failed';
  return ending.has(status) ? 'broken' : 'refused';
}

const passing: ReadonlySet<number> = new Set([408, 425, 429]);
const ending: ReadonlySet<number> = new Set([401, 403, 404, 410]);

/** `503 Service Unavailable`, with the phrase of the standard and not of the answer. */
function sayStatus(status: number): string {
  const phrase = STATUS_CODES[status];
  return phrase === undefined ? String(status) : `${status} ${phrase}`;
}

/** One sentence, whether the name has no address or a refused one: else a test would say which names the operator's network has. */
const sayNoWay = (who: string) => `DNS has no address for ${who} that this console sends to.`;

/** Names no address: the error of a connection holds the one that was tried. */
function sayFailure(error: unknown, who: string): string {
  if (error instanceof Overdue) return `${who} did not answer in time.`;
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'ENODATA') return sayNoWay(who);
  if (code === 'ECONNREFUSED') return `${who} refuses connections.`;
  if (code.startsWith('HPE_')) return `The answer of ${who} is not HTTP.`;
  if (isOfTls(code)) return `The TLS handshake with ${who} failed (${code}).`;
  if (code.startsWith('E')) return `${who} could not be reached (${code.slice(0, 40)}).`;
  return `${who} closed the connection before it answered.`;
}

/** Codes of OpenSSL's verification (`CERT_HAS_EXPIRED`) and of Node's TLS. */
const isOfTls = (code: string) =>
  code === 'EPROTO' || /^(ERR_SSL_|ERR_TLS_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code);
