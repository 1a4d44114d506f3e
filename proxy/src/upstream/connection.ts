import type { Socket } from 'node:net';
import type { FlatHeaders } from '../response/response-headers.ts';
import { type Turn, WaitingPieces } from '../shares/turns.ts';
import type { AnswerHead } from './answer-head.ts';
import { type AnswerListener, AnswerReader } from './answer-reader.ts';
import type { Dial } from './dial.ts';
import { isLostConnection } from './explain-error.ts';
import type { RequestBody } from './request-body.ts';

/** What an upstream is asked. */
export type Asked = {
  method: string;
  /** Path and query. */
  path: string;
  /** Names and values in turn, without what frames the body. */
  headers: FlatHeaders;
  body: RequestBody | null;
  /** The request asks for another protocol. */
  upgrades?: boolean;
};

/**
 * How whoever asks holds the answer back, or ends the exchange. Each call says by whom: after the exchange the connection may carry
 * another visitor's, and then the call does nothing.
 */
export type Flow = {
  pause(by: Asker): void;
  resume(by: Asker): void;
  abort(by: Asker): void;
  /** The exchange takes long, so the connection does not count among those that others wait for. */
  setAside(by: Asker): void;
};

/** A connection after its upstream has changed the protocol. */
export type Upgraded = {
  socket: Socket;
  /**
   * From now on every byte that comes is given to `take`, which returns false to hold the next ones back until `resume`. They are valid
   * during the call only. `end` is called when no more will come, and `close` when the connection is gone, both after the last byte.
   */
  carry(carried: Carried): void;
  resume(): void;
};
type Carried = { take(chunk: Buffer): boolean; end(): void; close(): void };

/** Whoever asks. Hears `failed` once in place of everything that is left. */
export type Asker = {
  /** True when the answer is wanted no more. Such a request never goes out. */
  hasLeft(): boolean;
  /** The request goes out now. */
  begun(flow: Flow): void;
  /** Once for the final answer, and before it for each interim one (1xx). */
  head(head: AnswerHead): void;
  /** A part of the body. The bytes are valid during the call only. */
  data(chunk: Buffer): void;
  end(trailers: FlatHeaders): void;
  upgraded?(head: AnswerHead, rest: Buffer, upstream: Upgraded): void;
  failed(error: Error): void;
};

/** The connection ended before its answer did. */
export class LostConnection extends Error {
  readonly code = 'connection_lost';
}
/** The connection ended in the middle of an answer, or after an interim one. Nobody asks again: the request was heard. */
class CutAnswer extends Error {
  readonly code = 'connection_lost';
  readonly isCut = true;
}
/** The origin did not take the connection in time. */
class ConnectTimeout extends Error {
  readonly code = 'connect_timeout';
}

export type ConnectionLimits = { connectMs: number; headBytes: number; idleMs: number };

/** Whoever keeps the connections of an origin. */
export type Keeper = {
  /** The exchange is over, and the connection may carry another one. */
  free(connection: Connection): void;
  /** The exchange takes long. */
  aside(connection: Connection): void;
  /** The connection ended, or carries another protocol. */
  gone(connection: Connection): void;
};

/** All connections read into one buffer, one after the other: 64 KiB for each would be the larger part of an idle one's memory. */
const readBuffer = Buffer.allocUnsafeSlow(64 * 1024);
/** An upstream that says how long it keeps an idle connection closes it then. A request must not meet that. */
const earlierMs = 2_000;
const separator = Buffer.from('\r\n');

/** One connection to an origin, which carries one exchange at a time. */
export class Connection implements AnswerListener, Flow {
  readonly openedAt = performance.now();
  /** Its keeper does not count it. Only the keeper writes it. */
  isAside = false;
  readonly #socket: Socket;
  readonly #reader: AnswerReader;
  readonly #keeper: Keeper;
  readonly #limits: ConnectionLimits;
  #late: NodeJS.Timeout | null;
  #asker: Asker | null = null;
  /** Waits for the connection to be there. */
  #waiting: Asked | null = null;
  /** The request's body is on its way. */
  #sending: RequestBody | null = null;
  #carried: Carried | null = null;
  /** What came when the account had used its time. */
  readonly #pieces: WaitingPieces;
  #isReady = false;
  /** Something of the answer has come. */
  #isHeard = false;
  #isGone = false;
  #isPaused = false;
  /** This side ended it: what waits is wanted no more. */
  #isDropped = false;
  /** What is read now waited, so the upstream may have ended the connection since. */
  #isBehind = false;
  /** The answer is over, and the piece that it ended with is not. */
  #isOver = false;
  /** The program behind may take the request for another one than it is. */
  #isLast = false;
  #error: Error | null = null;
  #freeUntil = Number.POSITIVE_INFINITY;

  constructor(dial: Dial, limits: ConnectionLimits, keeper: Keeper, turn: Turn) {
    this.#pieces = new WaitingPieces(
      turn,
      () => this.#readOn(),
      () => void this.#socket.pause(),
    );
    this.#limits = limits;
    this.#keeper = keeper;
    this.#reader = new AnswerReader(limits.headBytes);
    const { socket, readyEvent } = dial({
      buffer: readBuffer,
      callback: (length) => this.#come(readBuffer.subarray(0, length)),
    });
    this.#socket = socket;
    this.#late = setTimeout(() => this.destroy(new ConnectTimeout()), limits.connectMs);
    socket.once(readyEvent, () => this.#begin());
    socket.on('drain', () => this.#sending?.goOn());
    socket.on('error', (error) => {
      this.#error ??= error;
    });
    socket.once('end', () => this.#pieces.end(() => this.#ended()));
    // Over TLS the end may come together with pieces that still wait, and Node then closes the socket before their turn.
    socket.once('close', () => this.#pieces.end(() => this.#closed()));
  }

  /** Whether a request that is sent now will probably be answered. */
  isUsable(now: number): boolean {
    return !this.#isGone && now < this.#freeUntil && !this.#socket.destroyed;
  }

  send(asked: Asked, asker: Asker): void {
    this.#asker = asker;
    this.#isHeard = false;
    this.#freeUntil = Number.POSITIVE_INFINITY;
    this.#pieces.begin();
    asker.begun(this);
    if (this.#isReady) this.#write(asked, asker);
    else this.#waiting = asked;
  }

  destroy(error: Error): void {
    this.#error ??= error;
    this.#isDropped = true;
    this.#socket.destroy();
    this.#leave();
  }

  pause(by: Asker): void {
    if (by !== this.#asker) return;
    this.#isPaused = true;
    this.#socket.pause();
  }
  resume(by: Asker): void {
    if (by === this.#asker) this.#resume();
  }
  /** The asker wants nothing more, and hears nothing more. */
  abort(by: Asker): void {
    if (by !== this.#asker) return;
    this.#asker = null;
    this.destroy(new LostConnection());
  }

  setAside(by: Asker): void {
    if (by === this.#asker) this.#keeper.aside(this);
  }

  head(head: AnswerHead): void {
    this.#asker?.head(head);
  }
  data(chunk: Buffer): void {
    this.#asker?.data(chunk);
  }
  end(trailers: FlatHeaders): void {
    const asker = this.#asker;
    this.#asker = null;
    this.#isOver = true;
    asker?.end(trailers);
  }
  upgraded(head: AnswerHead, rest: Buffer): void {
    const asker = this.#asker;
    this.#asker = null;
    this.#isGone = true;
    this.#keeper.gone(this);
    const carry = (carried: Carried) => {
      this.#carried = carried;
    };
    const resume = () => this.#resume();
    if (asker?.upgraded) asker.upgraded(head, rest, { socket: this.#socket, carry, resume });
    else this.#socket.destroy();
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#readOn();
  }

  #readOn(): void {
    if (this.#pieces.isEmpty && !this.#isPaused) this.#socket.resume();
  }

  #begin(): void {
    if (this.#late) clearTimeout(this.#late);
    this.#late = null;
    this.#isReady = true;
    const [asked, asker] = [this.#waiting, this.#asker];
    this.#waiting = null;
    if (asked && asker) this.#write(asked, asker);
  }

  #write({ method, path, headers, body, upgrades = false }: Asked, asker: Asker): void {
    this.#reader.begin(this, { isHead: method === 'HEAD', mayUpgrade: upgrades });
    this.#isLast = body !== null && !expectsBody.has(method);
    let text = `${method} ${path} HTTP/1.1\r\n`;
    for (let index = 0; index < headers.length; index += 2)
      text += `${headers[index]}: ${headers[index + 1]}\r\n`;
    if (upgrades) text += 'Connection: Upgrade\r\nUpgrade: websocket\r\n';
    if (this.#isLast) text += 'Connection: close\r\n';
    text += framing(method, body);
    this.#socket.write(`${text}\r\n`, 'latin1');
    if (body !== null) this.#writeBody(body, asker);
  }

  #writeBody(body: RequestBody, asker: Asker): void {
    const socket = this.#socket;
    const isChunked = body.length === null;
    this.#sending = body;
    body.flowInto({
      write: (chunk) => {
        if (this.#asker !== asker) return true;
        if (!isChunked) return socket.write(chunk);
        socket.cork();
        socket.write(`${chunk.length.toString(16)}\r\n`, 'latin1');
        socket.write(chunk);
        const goesOn = socket.write(separator);
        socket.uncork();
        return goesOn;
      },
      end: () => {
        if (this.#sending !== body) return;
        this.#sending = null;
        if (isChunked) socket.write('0\r\n\r\n', 'latin1');
      },
    });
  }

  /** Called with each piece that comes. False holds the next one back. */
  #come(chunk: Buffer): boolean {
    const keep = () => {
      const kept = Buffer.from(chunk);
      return () => {
        this.#isBehind = true;
        this.#read(kept);
        this.#isBehind = false;
      };
    };
    return this.#pieces.take(() => this.#read(chunk), keep, chunk.length) && !this.#isPaused;
  }

  #read(chunk: Buffer): void {
    if (this.#isDropped) return;
    if (this.#carried !== null) {
      if (!this.#carried.take(chunk)) this.#isPaused = true;
      return;
    }
    this.#isHeard = true;
    try {
      const read = this.#reader.read(chunk);
      if (this.#carried !== null) return;
      // Bytes that nobody asked for could be taken for the answer to the next request.
      if (read < chunk.length) this.destroy(new LostConnection());
      else if (this.#isOver) this.#goOn();
    } catch (error) {
      this.destroy(error instanceof Error ? error : new LostConnection());
    }
  }

  #ended(): void {
    if (this.#carried !== null) {
      this.#carried.end();
      return;
    }
    this.#reader.close();
    this.destroy(new LostConnection());
  }

  /** After an answer. */
  #goOn(): void {
    this.#isOver = false;
    // The rest of a body that the upstream did not wait for would be taken for a request.
    if (this.#sending !== null || this.#isLast || !this.#reader.keepsAlive) {
      this.destroy(new LostConnection());
      return;
    }
    this.#freeUntil = performance.now() + this.#idleMs();
    // Nothing but the end may come now, and that has to be seen.
    this.#pieces.stop();
    this.#resume();
    this.#readOn();
    if (!this.#isBehind) {
      this.#keeper.free(this);
      return;
    }
    // The end would show at the next look for bytes, which comes first.
    setImmediate(() => {
      if (!this.#isGone && !this.#socket.destroyed) this.#keeper.free(this);
    });
  }

  #closed(): void {
    this.#pieces.stop();
    this.#carried?.close();
    this.#leave();
  }

  /** Once, when the connection is of no more use. */
  #leave(): void {
    if (this.#late) clearTimeout(this.#late);
    this.#late = null;
    this.#pieces.stop();
    this.#reader.stop();
    this.#waiting = null;
    if (!this.#isGone) {
      this.#isGone = true;
      this.#keeper.gone(this);
    }
    const asker = this.#asker;
    this.#asker = null;
    const error = this.#error ?? new LostConnection();
    asker?.failed(this.#isHeard && isLostConnection(error) ? new CutAnswer() : error);
  }

  #idleMs(): number {
    const { idleSeconds } = this.#reader;
    const { idleMs } = this.#limits;
    return idleSeconds === null ? idleMs : Math.min(idleMs, idleSeconds * 1_000 - earlierMs);
  }
}

/**
 * Some servers refuse these without a length (RFC 9110, 8.6). Some programs know a body of no other method, and would read it as the
 * next request: so a connection carries nothing after such a body.
 */
const expectsBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** The one line that says where the request's body ends. The bytes that are sent agree with it, so nothing of them becomes a request. */
function framing(method: string, body: RequestBody | null): string {
  if (body === null) return expectsBody.has(method) ? 'Content-Length: 0\r\n' : '';
  return body.length === null ? 'Transfer-Encoding: chunked\r\n' : `Content-Length: ${body.length}\r\n`;
}
