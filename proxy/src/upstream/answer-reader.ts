import type { FlatHeaders } from '../response/response-headers.ts';
import type { AnswerHead } from './answer-head.ts';
import { BadAnswer, checkCharacters, readHead, readHeaderLines } from './header-lines.ts';

/** Hears of one answer. Each call may end the reading with `stop`. */
export type AnswerListener = {
  /** Once for the final answer, and before it for each interim one (1xx). */
  head(head: AnswerHead): void;
  /** A part of the body. The bytes are valid during the call only. */
  data(chunk: Buffer): void;
  /** The answer is over. `trailers` are names in lower case and values in turn. */
  end(trailers: FlatHeaders): void;
  /** The upstream changes the protocol. `rest` is of the new one. */
  upgraded(head: AnswerHead, rest: Buffer): void;
};

type State =
  | 'idle'
  | 'head'
  | 'length'
  | 'until_close'
  | 'chunk_size'
  | 'chunk_extension'
  | 'chunk_size_end'
  | 'chunk'
  | 'chunk_end'
  | 'chunk_end_lf'
  | 'trailers';

const nothing: FlatHeaders = [];
const [cr, lf, semicolon] = [0x0d, 0x0a, 0x3b];
const extensionBytes = 4_096;
/** 16 digits would be more than a number holds exactly. */
const sizeDigits = 12;

/**
 * Reads the answers of one HTTP/1.1 connection from whatever pieces they come in (RFC 9112). It takes only what has one meaning:
 * everything that two programs could frame in two ways is refused, so that no answer becomes the next visitor's.
 */
export class AnswerReader {
  readonly #headBytes: number;
  #listener: AnswerListener | null = null;
  #state: State = 'idle';
  #isHead = false;
  #mayUpgrade = false;
  /** The beginning of a head or of trailers whose end has not come. */
  #held = '';
  /** Bytes that are left of the body, or of the chunk. */
  #left = 0;
  #digits = 0;
  #extension = 0;
  #keepsAlive = false;
  #idleSeconds: number | null = null;

  constructor(headBytes: number) {
    this.#headBytes = headBytes;
  }

  /** Expects an answer to a request. `isHead`: the request's method is HEAD, so the answer has no body. */
  begin(listener: AnswerListener, { isHead, mayUpgrade }: { isHead: boolean; mayUpgrade: boolean }): void {
    this.#listener = listener;
    this.#state = 'head';
    this.#isHead = isHead;
    this.#mayUpgrade = mayUpgrade;
    this.#held = '';
  }

  /** Nobody wants the rest. */
  stop(): void {
    this.#listener = null;
    this.#state = 'idle';
  }

  /** After an answer: whether the connection may carry another one. */
  get keepsAlive(): boolean {
    return this.#keepsAlive;
  }

  /** The seconds for which the upstream keeps an idle connection, if it said so. */
  get idleSeconds(): number | null {
    return this.#idleSeconds;
  }

  /**
   * Reads bytes up to the end of the answer, and gives how many belong to it: the others could be taken for the beginning of the next
   * one. Throws `BadAnswer`; the connection is of no more use then.
   */
  read(chunk: Buffer): number {
    let at = 0;
    while (at < chunk.length) {
      switch (this.#state) {
        case 'idle':
          return at;
        case 'head':
          at = this.#readHead(chunk, at);
          break;
        case 'length':
        case 'chunk':
          at = this.#readCounted(chunk, at);
          break;
        case 'until_close':
          this.#listener?.data(at === 0 ? chunk : chunk.subarray(at));
          return chunk.length;
        case 'trailers':
          at = this.#readTrailers(chunk, at);
          break;
        default:
          this.#readChunkByte(chunk[at] ?? 0);
          at += 1;
      }
    }
    return at;
  }

  /** The upstream ended the connection. True when that is the end of an answer; false when an answer is missing or cut. */
  close(): boolean {
    if (this.#state !== 'until_close') return false;
    this.#finish(nothing);
    return true;
  }

  #finish(trailers: FlatHeaders): void {
    const listener = this.#listener;
    this.stop();
    listener?.end(trailers);
  }

  #readHead(chunk: Buffer, from: number): number {
    const held = this.#held;
    // A head mostly comes in one piece. Then no text is made of the body behind it.
    const text = held === '' ? '' : held + chunk.toString('latin1', from, from + this.#headBytes + 4);
    const end =
      held === ''
        ? chunk.indexOf('\r\n\r\n', from, 'latin1') - from
        : text.indexOf('\r\n\r\n', Math.max(0, held.length - 3));
    if (end < 0) return this.#hold(held, chunk, from);
    if (end > this.#headBytes) throw new BadAnswer('The head is too long.');
    this.#held = '';
    const head = readHead(
      held === '' ? chunk.toString('latin1', from, from + end + 2) : text.slice(0, end + 2),
    );
    const at = from + end + 4 - held.length;
    if (head.status === 101) {
      this.#upgrade(head, chunk.subarray(at));
      return chunk.length;
    }
    if (head.status < 200) this.#listener?.head(head);
    else this.#frame(head);
    return at;
  }

  #upgrade(head: AnswerHead, rest: Buffer): void {
    if (!this.#mayUpgrade) throw new BadAnswer('The protocol changes although nobody asked.');
    const listener = this.#listener;
    this.stop();
    listener?.upgraded(head, rest);
  }

  /** Keeps a piece whose end has not come. Each byte is looked at once, in whatever pieces they come. */
  #hold(held: string, chunk: Buffer, from: number): number {
    const piece = chunk.toString('latin1', from);
    if (held.length + piece.length > this.#headBytes) throw new BadAnswer('The head is too long.');
    // The CR at the end may be the first half of a line's end.
    checkCharacters((held.endsWith('\r') ? '\r' : '') + (piece.endsWith('\r') ? piece.slice(0, -1) : piece));
    this.#held = held + piece;
    return chunk.length;
  }

  /** Decides how the body ends (RFC 9112, 6.3). */
  #frame(head: AnswerHead): void {
    const { flat, status, is11 } = head;
    let coding: string | null = null;
    let length: string | null = null;
    let connection = '';
    this.#idleSeconds = null;
    for (let index = 0; index < flat.length; index += 2) {
      const value = flat[index + 1] ?? '';
      switch (flat[index]) {
        case 'transfer-encoding':
          if (coding !== null) throw new BadAnswer('Transfer-Encoding stands there twice.');
          coding = value.toLowerCase();
          break;
        case 'content-length':
          if (length !== null) throw new BadAnswer('Content-Length stands there twice.');
          length = value;
          break;
        case 'connection':
          connection += `,${value.toLowerCase()}`;
          break;
        case 'keep-alive':
          this.#idleSeconds = secondsIn(value);
      }
    }
    if (coding !== null && (coding !== 'chunked' || length !== null))
      throw new BadAnswer('The end of the body has no one meaning.');
    if (length !== null && !/^[0-9]{1,15}$/.test(length)) throw new BadAnswer('Content-Length is no number.');
    this.#keepsAlive = is11
      ? !names(connection, 'close')
      : names(connection, 'keep-alive') && coding === null;
    this.#left = coding === null && length !== null ? Number(length) : 0;
    const isEmpty = this.#isHead || status === 204 || status === 304;
    // Whoever tells of a body there may send one, and it would be taken for the next answer.
    if (status === 204 && (coding !== null || this.#left > 0)) this.#keepsAlive = false;
    if (isEmpty || (coding === null && length !== null && this.#left === 0)) {
      this.#listener?.head(head);
      if (this.#state === 'head') this.#finish(nothing);
      return;
    }
    if (coding === null && length === null) this.#keepsAlive = false;
    this.#digits = 0;
    this.#state = coding !== null ? 'chunk_size' : length !== null ? 'length' : 'until_close';
    this.#listener?.head(head);
  }

  #readCounted(chunk: Buffer, from: number): number {
    const end = Math.min(chunk.length, from + this.#left);
    this.#left -= end - from;
    const part = from === 0 && end === chunk.length ? chunk : chunk.subarray(from, end);
    const isLast = this.#left === 0;
    if (this.#state === 'chunk' && isLast) this.#state = 'chunk_end';
    const isBody = this.#state === 'length';
    this.#listener?.data(part);
    if (isBody && isLast && this.#listener !== null) this.#finish(nothing);
    return end;
  }

  #readChunkByte(byte: number): void {
    switch (this.#state) {
      case 'chunk_size': {
        const digit = hexDigit(byte);
        if (digit >= 0 && this.#digits < sizeDigits) {
          this.#left = this.#left * 16 + digit;
          this.#digits += 1;
          return;
        }
        this.#extension = 0;
        if (this.#digits > 0 && byte === semicolon) this.#state = 'chunk_extension';
        else if (this.#digits > 0 && byte === cr) this.#state = 'chunk_size_end';
        else throw new BadAnswer('The size of a chunk is no number.');
        return;
      }
      case 'chunk_extension':
        this.#extension += 1;
        if (byte === cr) this.#state = 'chunk_size_end';
        // A quoted value could hide a border from another program. No server is known to send one.
        else if (!/[\w!#$%&'*+\-.^`|~;=]/.test(String.fromCharCode(byte)) || this.#extension > extensionBytes)
          throw new BadAnswer('A chunk has an extension that no chunk has.');
        return;
      case 'chunk_size_end':
        expect(byte, lf);
        this.#digits = 0;
        this.#state = this.#left === 0 ? 'trailers' : 'chunk';
        return;
      case 'chunk_end':
        expect(byte, cr);
        this.#state = 'chunk_end_lf';
        return;
      default:
        expect(byte, lf);
        this.#state = 'chunk_size';
    }
  }

  #readTrailers(chunk: Buffer, from: number): number {
    const held = this.#held.length;
    const text = this.#held + chunk.toString('latin1', from, from + this.#headBytes + 4);
    const isEmpty = text.startsWith('\r\n');
    const end = isEmpty ? 0 : text.indexOf('\r\n\r\n');
    if (end < 0) return this.#hold(this.#held, chunk, from);
    this.#held = '';
    if (end > this.#headBytes) throw new BadAnswer('The trailers are too long.');
    checkCharacters(text.slice(0, end + 2));
    this.#finish(isEmpty ? nothing : readHeaderLines(text.slice(0, end + 2), 0));
    return from + end + (isEmpty ? 2 : 4) - held;
  }
}

function expect(byte: number, wanted: number): void {
  if (byte !== wanted) throw new BadAnswer('A chunk does not end where it says.');
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

function names(list: string, name: string): boolean {
  return list !== '' && list.split(',').some((part) => part.trim() === name);
}

/** `timeout=5, max=100` */
function secondsIn(value: string): number | null {
  const found = /(?:^|[,\s])timeout=([0-9]{1,9})(?:$|[,\s])/.exec(value);
  return found ? Number(found[1]) : null;
}
