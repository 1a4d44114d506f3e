import { terminalInputBytes, terminalInputWaitingBytes } from '@homeport/contract/terminals/facts';
import { atMostEvery } from './at-most-every.ts';
import { messagePauseMs } from './message-pace.ts';

/** A paste that is longer than this is no paste that somebody wants in a terminal. */
export const pasteBytes = 1_000_000;

/** Of the screen's own answers as many bytes may wait as one message holds. A program that asks and reads nothing gets no more of them. */
export const answerBytes = terminalInputBytes;

/** What one message carries. All pieces but the last are full. */
type Piece = { bytes: Uint8Array; length: number; answers: number };

interface QueueEnds {
  send: (bytes: Uint8Array, byPerson: boolean) => void;
  /** A person's bytes were dropped, because too many wait. Called once, until none wait. */
  onFull: () => void;
}

/**
 * Sends keystrokes in their order: the first at once, and those that are typed meanwhile together when the server has taken some. A
 * server that takes nothing gets no more than it can hold. The screen's own answers do not call for a message each.
 */
export function createInputQueue({ send, onFull }: QueueEnds) {
  const waiting: Piece[] = [];
  let waitingBytes = 0;
  let waitingAnswers = 0;
  let untaken = 0;
  let isFull = false;
  const flush = () => {
    while (
      waitingBytes > 0 &&
      untaken < terminalInputWaitingBytes &&
      (untaken === 0 || waitingBytes >= terminalInputBytes)
    )
      sendNext();
    if (waitingBytes === 0) isFull = false;
  };
  const answering = atMostEvery(messagePauseMs, flush);
  const flushSoon = () => {
    if (waitingBytes > waitingAnswers) flush();
    else if (waitingBytes > 0) answering.ask();
  };
  const sendNext = () => {
    const piece = waiting.shift();
    if (!piece) return;
    const { bytes, length, answers } = piece;
    waitingBytes -= length;
    waitingAnswers -= answers;
    untaken += length;
    send(bytes.subarray(0, length), answers < length);
  };
  const keep = (bytes: Uint8Array, byPerson: boolean) => {
    for (let at = 0; at < bytes.length; ) {
      const piece = lastWithRoom(waiting);
      const part = bytes.subarray(at, at + terminalInputBytes - piece.length);
      piece.bytes.set(part, piece.length);
      piece.length += part.length;
      if (!byPerson) piece.answers += part.length;
      at += part.length;
    }
    waitingBytes += bytes.length;
    if (!byPerson) waitingAnswers += bytes.length;
  };
  return {
    put(bytes: Uint8Array, byPerson: boolean): void {
      if (byPerson && waitingBytes + bytes.length > pasteBytes) {
        if (!isFull) onFull();
        isFull = true;
        return;
      }
      if (!byPerson && waitingAnswers + bytes.length > answerBytes) return;
      keep(bytes, byPerson);
      flushSoon();
    },
    taken(bytes: number): void {
      untaken = Math.max(0, untaken - bytes);
      flushSoon();
    },
    stop: () => answering.stop(),
  };
}

function lastWithRoom(waiting: Piece[]): Piece {
  const last = waiting.at(-1);
  if (last && last.length < terminalInputBytes) return last;
  const piece = { bytes: new Uint8Array(terminalInputBytes), length: 0, answers: 0 };
  waiting.push(piece);
  return piece;
}
