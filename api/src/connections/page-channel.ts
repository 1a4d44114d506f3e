import { agentMessageBytes } from '@homeport/contract/connections/facts';
import {
  type ConsoleMessage,
  type PageMessage,
  pageMessageSchema,
} from '@homeport/contract/connections/schema';
import { OpeningError } from '@homeport/ssh';
import type { RawData, WebSocket } from 'ws';

/** A message that the page may send: one of the contract, or one binary frame, which is a password. */
export type FromPage = PageMessage | Buffer;

/**
 * One opening as a conversation with the page: the console asks and the page answers, in that order. Any
 * other message ends the opening: `gone` fires with the reason, and every wait for the page ends.
 */
export class PageChannel {
  readonly #socket: WebSocket;
  readonly #gone = new AbortController();
  #waiting: ((from: FromPage) => void) | null = null;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
    socket.on('close', () => this.#fail('agent_gone', 'The page closed the connection.'));
    socket.on('error', () => this.#fail('agent_gone', 'The page lost its connection to the console.'));
  }

  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  send(message: ConsoleMessage): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** Sends the last message, then closes the socket. */
  end(message: ConsoleMessage): void {
    this.send(message);
    this.#socket.close(1000);
  }

  /**
   * Resolves with the page's next message as `read` parses it. If `read` returns null, the message broke the
   * protocol. Rejects when the page is gone or `signal` fires.
   */
  next<T>(read: (from: FromPage) => T | null, signal: AbortSignal): Promise<T> {
    const stop = AbortSignal.any([signal, this.gone]);
    return new Promise((resolve, reject) => {
      if (stop.aborted) return reject(stop.reason);
      const onStop = () => {
        this.#waiting = null;
        reject(stop.reason);
      };
      stop.addEventListener('abort', onStop, { once: true });
      this.#waiting = (from) => {
        this.#waiting = null;
        const value = read(from);
        if (value === null) return this.#breach(from);
        stop.removeEventListener('abort', onStop);
        resolve(value);
      };
    });
  }

  #receive(data: RawData, isBinary: boolean): void {
    const bytes = Buffer.isBuffer(data)
      ? data
      : Buffer.concat(Array.isArray(data) ? data : [Buffer.from(data)]);
    const from = bytes.length > agentMessageBytes ? null : isBinary ? bytes : parse(bytes);
    if (from && this.#waiting) this.#waiting(from);
    else this.#breach(bytes);
  }

  #breach(from: FromPage): void {
    if (Buffer.isBuffer(from)) from.fill(0);
    this.#fail('protocol', 'The page sent a message that the console did not ask for.');
  }

  #fail(code: 'agent_gone' | 'protocol', message: string): void {
    if (!this.gone.aborted) this.#gone.abort(new OpeningError({ code, message }));
  }
}

function parse(bytes: Buffer): PageMessage | null {
  try {
    return pageMessageSchema.safeParse(JSON.parse(bytes.toString('utf8'))).data ?? null;
  } catch {
    // Text that is not JSON breaks the protocol, as a message of another shape does.
    return null;
  }
}
