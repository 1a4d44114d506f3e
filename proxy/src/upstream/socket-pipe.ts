import type { Socket } from 'node:net';
import type { Watched } from '../armour/reaper.ts';
import type { PlaneLimits } from '../limits.ts';
import { type Turn, WaitingPieces } from '../shares/turns.ts';
import type { Upgraded } from './connection.ts';
import { FrameBoundaries } from './frame-boundaries.ts';

/** A ping without a payload, as a server sends it (RFC 6455, 5.5.2). */
const ping = Buffer.from([0x89, 0x00]);

/**
 * An open WebSocket: two connections that carry each other's bytes until one of them ends. Then each of `ended` is called once.
 *
 * Everything about it has a time. Where one side ends, the other one has seconds. A side that takes nothing of what waits for it, and a
 * frame that does not go on, end it. A visitor that is silent is pinged between two frames of the website; one that does not answer is
 * gone. The website sees the pongs, which RFC 6455, 5.5.3, allows without a ping of its own. TCP's keepalive finds a website that is gone.
 */
export class SocketPipe implements Watched {
  sweepPlace = -1;
  readonly #visitor: Socket;
  readonly #upstream: Socket;
  readonly #limits: PlaneLimits;
  /** What came from the visitor when the account had used its time. */
  readonly #pieces: WaitingPieces;
  readonly #ended: readonly (() => void)[];
  readonly #frames = new FrameBoundaries();
  #isOpen = true;
  /** In milliseconds of the monotonic clock, as all times here. */
  #visitorAt = performance.now();
  #upstreamAt = this.#visitorAt;
  /** When the ping was sent that is not answered; null where there is none. Any byte of the visitor is an answer. */
  #pingedAt: number | null = null;
  /** Since when one side has ended; null while both are there. */
  #closingSince: number | null = null;
  /** Since when bytes wait for a side that takes none; null while nobody waits. */
  #visitorFullSince: number | null = null;
  #upstreamFullSince: number | null = null;

  constructor(
    visitor: Socket,
    { socket: upstream, carry, resume }: Upgraded,
    { limits, turn }: { limits: PlaneLimits; turn: Turn },
    ended: readonly (() => void)[],
  ) {
    this.#pieces = new WaitingPieces(
      turn,
      () => this.#readVisitor(),
      () => void visitor.pause(),
    );
    this.#pieces.begin();
    this.#visitor = visitor;
    this.#upstream = upstream;
    this.#limits = limits;
    this.#ended = ended;
    const end = () => this.end();
    for (const socket of [visitor, upstream]) {
      socket.setTimeout(0).setNoDelay(true).setKeepAlive(true, 30_000);
      socket.removeAllListeners('error').on('error', end);
    }
    visitor.on('close', () => this.#close());
    visitor.on('data', (chunk: Buffer) => {
      const pass = () => this.#fromVisitor(chunk);
      if (!this.#pieces.take(pass, () => pass, chunk.length)) visitor.pause();
    });
    visitor.on('drain', () => {
      this.#visitorFullSince = null;
      resume();
    });
    upstream.on('drain', () => {
      this.#upstreamFullSince = null;
      this.#readVisitor();
    });
    visitor.on('end', () => this.#pieces.end(() => this.#endHalf(upstream)));
    carry({
      take: (chunk) => this.toVisitor(chunk),
      end: () => this.#endHalf(visitor),
      close: () => this.#close(),
    });
  }

  end(): void {
    this.#visitor.destroy();
    this.#upstream.destroy();
  }

  /** Bytes of the website, valid during the call only. False holds the next ones back. */
  toVisitor(chunk: Buffer): boolean {
    this.#upstreamAt = performance.now();
    this.#frames.read(chunk);
    if (this.#visitor.write(Buffer.from(chunk))) return true;
    this.#visitorFullSince ??= this.#upstreamAt;
    return false;
  }

  look(now: number): void {
    const { socketCloseMs, answerStallMs, socketPongMs } = this.#limits;
    const since = (at: number | null) => (at === null ? 0 : now - at);
    // The website stopped in the middle of a frame, and the visitor takes all that came of it.
    const isCut = this.#frames.isInside && this.#visitorFullSince === null;
    const isOver =
      since(this.#closingSince) > socketCloseMs ||
      since(this.#visitorFullSince) > answerStallMs ||
      since(this.#upstreamFullSince) > answerStallMs ||
      since(this.#pingedAt) > socketPongMs ||
      (isCut && now - this.#upstreamAt > answerStallMs) ||
      now - Math.max(this.#visitorAt, this.#upstreamAt) > this.#idleMs();
    if (isOver) this.end();
    else this.#pingSilent(now);
  }

  /** How long nothing may come from either side, where no ping can be sent. */
  #idleMs(): number {
    const { socketIdleMs, socketPongMs } = this.#limits;
    if (this.#frames.isBroken) return socketIdleMs;
    return this.#frames.hasClosed ? socketPongMs : Number.POSITIVE_INFINITY;
  }

  #pingSilent(now: number): void {
    if (this.#pingedAt !== null || now - this.#visitorAt <= this.#limits.socketPingMs) return;
    if (!this.#frames.isBetween || this.#closingSince !== null || this.#visitor.writableLength > 0) return;
    this.#pingedAt = now;
    this.#visitor.write(ping);
  }

  #readVisitor(): void {
    if (this.#pieces.isEmpty && this.#upstreamFullSince === null) this.#visitor.resume();
  }

  #fromVisitor(chunk: Buffer): void {
    this.#visitorAt = performance.now();
    this.#pingedAt = null;
    if (this.#upstream.write(chunk)) return;
    this.#upstreamFullSince ??= this.#visitorAt;
    this.#visitor.pause();
  }

  /** One side has ended, and the other one hears of it. */
  #endHalf(other: Socket): void {
    this.#closingSince ??= performance.now();
    other.end();
  }

  #close(): void {
    this.end();
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#pieces.stop();
    for (const call of this.#ended) call();
  }
}
