import { terminalSizes } from '@homeport/contract/terminals/facts';
import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useReducer, useRef, useState } from 'react';
import { reachServer } from '../connections/call-on-server.ts';
import { problemText } from '../data/problem-text.ts';
import { toast } from '../ui/feedback/toasts.ts';
import { mayTakeFocus } from './focus.ts';
import { watchPerson } from './person-input.ts';
import { createScreen, type Screen } from './screen.ts';
import { attachKeys } from './terminal-keys.ts';
import { openPlace, placeKey, type TerminalPlace } from './terminal-place.ts';
import { runSession, type Session } from './terminal-session.ts';
import { firstView, nextView, type TerminalView } from './terminal-view.ts';

interface UsedTerminal {
  /** Of the element that holds the screen. */
  place: RefObject<HTMLDivElement | null>;
  screen: RefObject<Screen | null>;
  session: RefObject<Session | null>;
  view: TerminalView;
  /** Types what a button beside the screen stands for. */
  press: (keys: string) => void;
  /** Begins a new session on an empty screen. */
  again: () => void;
}

/**
 * A screen with its session, both from the first drawing to the last.
 *
 * @param opener what opened it, which may lose the focus to it
 * @param onKeys what the person typed, before the server gets it
 */
export function useTerminal(
  at: TerminalPlace,
  opener: RefObject<HTMLElement | null>,
  onKeys: (text: string) => string,
): UsedTerminal {
  const client = useQueryClient();
  const place = useRef<HTMLDivElement>(null);
  const screen = useRef<Screen>(null);
  const session = useRef<Session>(null);
  const person = useRef<ReturnType<typeof watchPerson>>(null);
  const keys = useNewest(onKeys);
  const [view, tell] = useReducer(nextView, firstView);
  const [round, setRound] = useState(0);

  const key = placeKey(at);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` stands for the place, and `round` begins a new session.
  useEffect(() => {
    const parent = place.current;
    if (!parent) return;
    const leave = new AbortController();
    const shown = createScreen(parent);
    const { terminal } = shown;
    screen.current = shown;
    const fitting = followSize(parent, shown);
    const hand = watchPerson(parent);
    person.current = hand;
    attachKeys(terminal, () => session.current !== null);
    terminal.onData((text) => {
      const byPerson = hand.isActing();
      session.current?.type(new TextEncoder().encode(byPerson ? keys.current(text) : text), byPerson);
    });
    // Reports of the mouse alone.
    terminal.onBinary((text) => {
      const bytes = Uint8Array.from(text, (sign) => sign.charCodeAt(0));
      session.current?.type(bytes, false);
    });
    terminal.onResize(() => session.current?.resize(sizeOf(shown)));
    const begin = async () => {
      const exchange = await reachServer(client, () => openPlace(at, sizeOf(shown), leave.signal), {
        signal: leave.signal,
      });
      session.current = runSession(exchange, {
        draw: (bytes, drawn) => terminal.write(bytes, drawn),
        onTold: tell,
        onFull: () => toast.bad('That was too much for the terminal at once.'),
        onOver(ended) {
          session.current = null;
          if (!leave.signal.aborted) tell({ type: 'over', ended });
        },
      });
      // The window may have another size by now.
      session.current.resize(sizeOf(shown));
      const dock = parent.closest('section') ?? parent;
      if (mayTakeFocus({ active: document.activeElement, dock, opener: opener.current })) terminal.focus();
    };
    tell({ type: 'begins' });
    begin().catch((error: unknown) => {
      const text = error instanceof Error ? problemText(error) : 'it could not be opened.';
      if (!leave.signal.aborted) tell({ type: 'refused', text });
    });
    return () => {
      leave.abort();
      fitting.disconnect();
      hand.stop();
      session.current = null;
      screen.current = null;
      shown.dispose();
    };
  }, [key, client, round]);

  const press = (text: string) => {
    const terminal = screen.current?.terminal;
    person.current?.act(() => terminal?.input(text));
    terminal?.focus();
  };
  return { place, screen, session, view, press, again: () => setRound(round + 1) };
}

/** The value of the last drawing, for what outlives a drawing. */
function useNewest<Value>(value: Value): RefObject<Value> {
  const newest = useRef(value);
  useEffect(() => {
    newest.current = value;
  });
  return newest;
}

function followSize(parent: HTMLElement, { fit }: Screen): ResizeObserver {
  fit();
  const fitting = new ResizeObserver(fit);
  fitting.observe(parent);
  return fitting;
}

const within = (value: number, { least, most }: { least: number; most: number }) =>
  Math.max(least, Math.min(most, value));

const sizeOf = ({ terminal: { cols, rows } }: Screen) => ({
  columns: within(cols, terminalSizes.columns),
  rows: within(rows, terminalSizes.rows),
});
