import { toastMs } from '@homeport/contract/limits';
import type { Tone } from './tones.ts';

export interface ToastAction {
  label: string;
  run: () => void;
}

export interface ToastOptions {
  detail?: string;
  /** The toast's life in milliseconds. An error with an action stays until the user dismisses it. */
  durationMs?: number;
  action?: ToastAction;
  /** Visible at once, as an error is: for a message that says what the next press does. */
  atOnce?: boolean;
  /** The operation that the message is about. The palette's recent messages open it. */
  operationId?: string;
  /** The page that the message is about, if that is not the page on which it appears. */
  page?: string;
  /** Runs when the user clicks the toast or when its life is over. */
  onDone?: () => void;
}

export interface Toast extends ToastOptions {
  id: number;
  tone: Tone;
  text: string;
  at: number;
  /** null: stays until the user dismisses it. */
  lifeMs: number | null;
  page: string;
}

const shownAtOnce = 3;
const remembered = 20;

let nextId = 1;
let queue: readonly Toast[] = [];
let recent: readonly Toast[] = [];
const listeners = new Set<() => void>();

function publish() {
  for (const listener of listeners) listener();
}

function add(tone: Tone, text: string, options: ToastOptions = {}): number {
  const stays = tone === 'bad' && options.action !== undefined && options.durationMs === undefined;
  const item: Toast = {
    ...options,
    id: nextId++,
    tone,
    text,
    at: Date.now(),
    lifeMs: stays ? null : (options.durationMs ?? toastMs.action),
    page: options.page ?? address(),
  };
  queue = [...queue, item];
  recent = [item, ...recent].slice(0, remembered);
  publish();
  return item.id;
}

/** Outside a browser there is no address. */
function address(): string {
  const { location } = globalThis;
  return location === undefined ? '/' : location.pathname + location.search;
}

/** Shows a message for 9 s. The newest stands at the bottom. Three are visible at once, and the rest wait, except errors. */
export const toast = {
  ok: (text: string, options?: ToastOptions) => add('ok', text, options),
  info: (text: string, options?: ToastOptions) => add('info', text, options),
  warn: (text: string, options?: ToastOptions) => add('warn', text, options),
  bad: (text: string, options?: ToastOptions) => add('bad', text, options),
};

/**
 * The messages that are visible of all that wait, in the order of their arrival. An error is visible at once, because it answers what
 * the person has just done: it takes the place of another message, which comes back afterwards.
 */
export function shownOf(all: readonly Toast[]): readonly Toast[] {
  const isUrgent = ({ tone, atOnce }: Toast) => tone === 'bad' || atOnce === true;
  const urgent = all.filter(isUrgent).slice(-shownAtOnce);
  const others = all.filter((item) => !isUrgent(item)).slice(0, shownAtOnce - urgent.length);
  return [...urgent, ...others].sort((a, b) => a.id - b.id);
}

export function dismissToast(id: number): void {
  const gone = queue.find((item) => item.id === id);
  queue = queue.filter((item) => item.id !== id);
  publish();
  gone?.onDone?.();
}

export const toastStore = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  all: () => queue,
  /** The last 20, newest first. */
  recent: () => recent,
};
