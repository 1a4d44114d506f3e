import { OpeningError } from '../failures.ts';
import { dial, type Target } from './dial.ts';
import { explainFailure } from './explain-failure.ts';
import { handshake } from './handshake.ts';
import { fingerprintOf, keyTypeOf } from './host-key.ts';
import { defaultTimeouts, type Timeouts } from './timeouts.ts';

export type ProbedHostKey = { hostKey: Buffer; fingerprint: string; keyType: string };

/**
 * First contact: learns the server's host key, proven by its signature over a key exchange, and ends before the login.
 * Takes about 100 ms. Afterwards the page asks the person, and opens the connection with the pin.
 */
export async function probeHostKey(
  target: Target,
  options: { signal?: AbortSignal; timeouts?: Partial<Timeouts>; hostKeyType?: string } = {},
): Promise<ProbedHostKey> {
  const timeouts = { ...defaultTimeouts, ...options.timeouts };
  const signal = options.signal ?? new AbortController().signal;
  const dialled = await dial(target, timeouts.tcp, signal);
  let shown: Buffer | null = null;
  let proven = false;
  const facts = {
    username: probeUser,
    method: 'probe',
    pinned: null,
    presented: null,
    methodsLeft: null,
  } as const;
  try {
    const client = await handshake({
      dialled,
      username: probeUser,
      ...(options.hostKeyType && { hostKeyType: options.hostKeyType }),
      readyTimeoutMs: timeouts.ready,
      timeouts,
      signal,
      acceptsHostKey: (hostKey) => {
        shown = Buffer.from(hostKey);
        return true;
      },
      // ssh2 begins the login only after it has verified the signature over the exchange.
      authenticate: (running) => () => {
        proven = true;
        running.fail(new OpeningError({ code: 'auth_refused', message: 'The probe ends before the login.' }));
      },
      explain: (error) => explainFailure(error, facts),
    });
    client.end();
  } catch (error) {
    if (!proven || shown === null) throw error;
  }
  if (shown === null)
    throw new OpeningError({ code: 'host_key_unproven', message: 'The server showed no host key.' });
  return { hostKey: shown, fingerprint: fingerprintOf(shown), keyType: keyTypeOf(shown) };
}

/** ssh2 requires a name. The name is never sent, because the probe ends before the login. */
const probeUser = 'probe';
