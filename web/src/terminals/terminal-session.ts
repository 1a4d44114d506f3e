import { terminalOutputBytes } from '@homeport/contract/terminals/facts';
import type { TerminalEvent, TerminalMessage } from '@homeport/contract/terminals/schema';
import { atMostEvery } from './at-most-every.ts';
import { createInputQueue } from './input-queue.ts';
import { messagePauseMs } from './message-pace.ts';

/** The page tells of so much that it has drawn. The console sends twice as much before it waits. */
const toldBytes = terminalOutputBytes / 2;

export interface TerminalSize {
  columns: number;
  rows: number;
}

/** What the page shows beside the screen. */
export type Told = Exclude<TerminalEvent, { type: 'output' | 'inputTaken' }>;

interface Exchange {
  events: AsyncIterable<{ data: TerminalEvent }>;
  say: (message: TerminalMessage) => void;
}

interface Ends {
  /** Draws the bytes and then calls back. */
  draw: (bytes: Uint8Array, drawn: () => void) => void;
  onTold: (event: Told) => void;
  /** The exchange is over; null: without a word of the console. */
  onOver: (ended: Extract<Told, { type: 'ended' }> | null) => void;
  /** Something that the person typed was dropped: too much waits for the server. */
  onFull: () => void;
}

/** Carries a terminal between the page's screen and the console. */
export function runSession({ events, say }: Exchange, { draw, onTold, onOver, onFull }: Ends) {
  const input = createInputQueue({
    send: (bytes, byPerson) => say({ type: 'input', data: toBase64(bytes), byPerson }),
    onFull,
  });
  let drawn = 0;
  const telling = atMostEvery(messagePauseMs, () => {
    say({ type: 'taken', bytes: drawn });
    drawn = 0;
  });
  let ended: Extract<Told, { type: 'ended' }> | null = null;
  const follow = async () => {
    for await (const { data } of events) {
      if (data.type === 'output') {
        const bytes = fromBase64(data.data);
        draw(bytes, () => {
          drawn += bytes.length;
          if (drawn >= toldBytes) telling.ask();
        });
      } else if (data.type === 'inputTaken') input.taken(data.bytes);
      else {
        if (data.type === 'ended') ended = data;
        onTold(data);
      }
    }
  };
  const over = () => {
    telling.stop();
    input.stop();
    onOver(ended);
  };
  // Events that break off are an end, too.
  follow().then(over, over);
  return {
    type: (bytes: Uint8Array, byPerson: boolean) => input.put(bytes, byPerson),
    resize: ({ columns, rows }: TerminalSize) => say({ type: 'resize', columns, rows }),
    extend: () => say({ type: 'extend' }),
  };
}

export type Session = ReturnType<typeof runSession>;

const toBase64 = (bytes: Uint8Array) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

function fromBase64(text: string): Uint8Array {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
