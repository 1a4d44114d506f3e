import { endedText } from './ended-text.ts';
import type { Told } from './terminal-session.ts';

export interface TerminalView {
  phase: 'opening' | 'open' | 'over';
  /** Epoch milliseconds. */
  endsAt: number | null;
  soon: 'idle' | 'time' | null;
  /** Work that replaces the containers has begun. */
  replacing: boolean;
  /** Why it is over. */
  why: string;
}

export const firstView: TerminalView = {
  phase: 'opening',
  endsAt: null,
  soon: null,
  replacing: false,
  why: '',
};

type Heard =
  | Told
  | { type: 'begins' }
  | { type: 'refused'; text: string }
  | { type: 'over'; ended: Extract<Told, { type: 'ended' }> | null };

export function nextView(view: TerminalView, heard: Heard): TerminalView {
  switch (heard.type) {
    case 'begins':
      return firstView;
    case 'ready':
      return { ...view, phase: 'open', endsAt: heard.endsAt };
    case 'time':
      return { ...view, endsAt: heard.endsAt, soon: heard.soon };
    case 'replacing':
      return { ...view, replacing: true };
    case 'ended':
      return view;
    case 'refused':
      return { ...view, phase: 'over', why: heard.text };
    case 'over':
      return { ...view, phase: 'over', soon: null, why: endedText(heard.ended) };
  }
}
