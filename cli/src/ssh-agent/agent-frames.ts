import { connect } from 'node:net';
import { type Bytes, concat } from '@homeport/signer/bytes';
import { readWire, uint32 } from '@homeport/signer/ssh-wire';

/** OpenSSH's own bound of a message to and from an agent (`AGENT_MAX_LEN`). */
export const mostFrameBytes = 256 * 1024;

/** Why an SSH agent gave no answer. */
export class AgentGone extends Error {
  override readonly name = 'AgentGone';
}

/** A conversation with an agent: one question, then its answer. */
export interface AgentLine {
  /** The answer without its length. Rejects with AgentGone. Never called before the last answer has come. */
  ask(message: Bytes, withinMs: number): Promise<Bytes>;
  close(): void;
}

/**
 * Opens an agent's socket: each message is a uint32 length, then that many bytes (draft-miller-ssh-agent, 3). On Windows `path` is a named
 * pipe. Rejects with AgentGone.
 */
export function openAgentLine(path: string, stop: AbortSignal): Promise<AgentLine> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    let waiting: { take(answer: Bytes): void; fail(error: AgentGone): void } | null = null;
    let received: Bytes = new Uint8Array();
    let end: AgentGone | null = null;
    const fail = (why: string) => {
      if (end) return;
      end = new AgentGone(why);
      socket.destroy();
      stop.removeEventListener('abort', interrupted);
      waiting?.fail(end);
      waiting = null;
      reject(end);
    };
    const interrupted = () => fail('Interrupted.');
    socket.on('data', (part: Buffer) => {
      if (!waiting) return fail('The SSH agent said something that nobody asked for.');
      received = concat(received, part);
      if (received.length < 4) return;
      const length = readWire(received).uint32();
      if (length === 0 || length > mostFrameBytes)
        return fail('The SSH agent sent a message of a wrong length.');
      if (received.length < 4 + length) return;
      if (received.length > 4 + length) return fail('The SSH agent sent more than one answer.');
      const { take } = waiting;
      const answer = received.slice(4);
      received = new Uint8Array();
      waiting = null;
      take(answer);
    });
    socket.on('error', (error: NodeJS.ErrnoException) =>
      fail(`The SSH agent at ${path} does not answer (${error.code ?? 'no reason'}).`),
    );
    socket.on('close', () => fail('The SSH agent closed the connection.'));
    stop.addEventListener('abort', interrupted, { once: true });
    if (stop.aborted) return interrupted();
    socket.once('connect', () =>
      resolve({
        ask: (message, withinMs) =>
          new Promise((answered, failed) => {
            if (end) return failed(end);
            const timer = setTimeout(() => fail('The SSH agent did not answer in time.'), withinMs);
            const settle =
              <T>(then: (value: T) => void) =>
              (value: T) => {
                clearTimeout(timer);
                then(value);
              };
            waiting = { take: settle(answered), fail: settle(failed) };
            socket.write(concat(uint32(message.length), message));
          }),
        close: () => fail('The conversation with the SSH agent is over.'),
      }),
    );
  });
}
