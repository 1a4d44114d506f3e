import { type UptimeCause, uptimePhases, uptimeRules } from '@homeport/contract/uptime/facts';
import type { UptimeCertificate } from '@homeport/contract/uptime/schema';
import { explainFailure } from './explain-failure.ts';
import { hostOf, portOf, refuseUrl } from './refuse-url.ts';
import {
  type Ending,
  type Hop,
  noPhases,
  Overdue,
  type Phases,
  type Reach,
  requestOnce,
} from './request-once.ts';

/** The result of one attempt: an answer in the 200s after its redirects, or the reason why there was none. */
export type Attempt = {
  phases: Phases;
  status: number | null;
  failure: { cause: UptimeCause; text: string } | null;
  address: string | null;
  redirects: number;
  bytes: number | null;
  truncated: boolean;
  certificate: UptimeCertificate | null;
};

/** When this process's own timers are later than this, it cannot judge whether an app is late. */
const lateMs = 500;

/**
 * Requests a URL as a visitor would, within one deadline. Follows redirects by hand, each after the same check of its address, and
 * reads the body up to a limit. Never rejects.
 *
 * @param now the time at which certificates are judged
 * @param stop ends the attempt before its deadline
 */
export async function attempt(
  target: string,
  reach: Reach,
  now: number,
  stop?: AbortSignal,
): Promise<Attempt> {
  const found: Attempt = {
    phases: noPhases(),
    status: null,
    failure: null,
    address: null,
    redirects: 0,
    bytes: null,
    truncated: false,
    certificate: null,
  };
  const ending: Ending = {};
  const begun = performance.now();
  const overdue = () => {
    isOver = true;
    ending.end?.(new Overdue(performance.now() - begun > reach.deadlineMs + lateMs));
  };
  let isOver = stop?.aborted ?? false;
  const deadline = setTimeout(overdue, reach.deadlineMs);
  stop?.addEventListener('abort', overdue, { once: true });
  try {
    let url = target;
    while (!isOver) {
      const next = await visit(url, found, reach, ending, now);
      if (next === null || found.failure !== null) return found;
      if (found.redirects === uptimeRules.redirects) {
        found.failure = {
          cause: 'redirect_loop',
          text: `The address redirects more than ${uptimeRules.redirects} times.`,
        };
        return found;
      }
      found.redirects += 1;
      url = next;
    }
    found.failure = { cause: 'timeout_headers', text: 'The redirects took too long.' };
    return found;
  } finally {
    clearTimeout(deadline);
    stop?.removeEventListener('abort', overdue);
  }
}

/** One hop. Returns the next URL, or null when the redirects end here. */
async function visit(
  target: string,
  found: Attempt,
  reach: Reach,
  ending: Ending,
  now: number,
): Promise<string | null> {
  const url = URL.canParse(target) ? new URL(target) : null;
  const refusal = url === null ? 'This is not an address.' : refuseUrl(url, reach.gate);
  if (url === null || refusal !== null) {
    found.failure = { cause: 'blocked_address', text: refusedAs(refusal ?? '', url, found.redirects) };
    return null;
  }
  const hop = await requestOnce(url, reach, ending, now);
  addHop(found, hop);
  if (hop.failed) {
    found.failure = explainFailure(hop.failed, {
      host: hostOf(url),
      port: portOf(url),
      certificate: hop.certificate,
    });
    return null;
  }
  const { status = 0, location = null } = hop.answer ?? {};
  if (location !== null && URL.canParse(location, url.href)) return new URL(location, url).href;
  if (status < 200 || status > 299)
    found.failure = { cause: 'status', text: `The answer has the status ${status}.` };
  return null;
}

function addHop(found: Attempt, { phases, answer, address, certificate }: Hop): void {
  for (const phase of uptimePhases) {
    const [before, more] = [found.phases[phase], phases[phase]];
    found.phases[phase] = before === null || more === null ? (more ?? before) : before + more;
  }
  found.address = address;
  found.certificate = certificate ?? found.certificate;
  found.status = answer?.status ?? null;
  found.bytes = answer?.bytes ?? null;
  found.truncated = answer?.truncated ?? false;
}

function refusedAs(refusal: string, url: URL | null, redirects: number): string {
  return redirects === 0 ? refusal : `Redirected to ${url?.host ?? 'nowhere'}: ${refusal}`;
}
