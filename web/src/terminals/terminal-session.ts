import { terminalPieceBytes } from '@homeport/contract/terminals/facts';
import type { TerminalEvent, TerminalMessage } from '@homeport/contract/terminals/schema';
import { createInputQueue } from './input-queue.ts';

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
}

/** Carries a terminal between the page's screen and the console. */
export function runSession({ events, say }: Exchange, { draw, onTold, onOver }: Ends) {
  const input = createInputQueue((bytes) => say({ type: 'input', data: toBase64(bytes) }));
  let drawn = 0;
  const tellDrawn = () => {
    if (drawn > 0) say({ type: 'taken', bytes: drawn });
    drawn = 0;
  };
  const follow = async () => {
    let ended: Extract<Told, { type: 'ended' }> | null = null;
    for await (const { data } of events) {
      if (data.type === 'output') {
        const bytes = fromBase64(data.data);
        draw(bytes, () => {
          drawn += bytes.length;
          if (drawn >= terminalPieceBytes) tellDrawn();
        });
      } else if (data.type === 'inputTaken') input.taken(data.bytes);
      else {
        if (data.type === 'ended') ended = data;
        onTold(data);
      }
    }
    onOver(ended);
  };
  void follow();
  return {
    /** False: too much waits for the server. */
    type: (bytes: Uint8Array) => input.put(bytes),
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
