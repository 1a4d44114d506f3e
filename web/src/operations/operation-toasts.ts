import { toastMs } from '@homeport/contract/limits';
import { messages } from '@homeport/contract/messages';
import { isOver } from '@homeport/contract/operations/facts';
import type { Operation } from '@homeport/contract/operations/schema';
import type { Problem } from '@homeport/contract/problems/schema';
import { toast } from '../ui/feedback/toasts.ts';
import { toneOf } from '../ui/feedback/tones.ts';
import { lastWords } from './last-words.ts';

/** How many toasts of an operation this tab has shown, and whether the operation is over. */
interface Told {
  shown: number;
  over: boolean;
}

type Telling = Pick<Operation, 'id' | 'state' | 'toasts' | 'problem'>;

const kept = 'homeport.operation-toasts';
const mostKept = 50;
const told: Map<string, Told> = read();
const listeners = new Set<() => void>();

/**
 * Call for an operation that this page started. Its toasts then appear even if it ends before the first
 * reading.
 */
export function expectToasts(id: string): void {
  const known = told.get(id);
  if (known && !known.over) return;
  remember(id, { shown: known?.shown ?? 0, over: false });
  for (const listener of listeners) listener();
}

export function onExpected(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The operations that may still bring toasts. */
export function expectedIds(): string[] {
  return [...told].filter(([, { over }]) => !over).map(([id]) => id);
}

/** Call for an operation that can no longer be read. */
export function forgetToasts(id: string): void {
  const known = told.get(id);
  if (known) remember(id, { ...known, over: true });
}

/**
 * Shows each toast of an operation once in this tab. If no toast reports a failure, shows the cause as a
 * toast of its own. An operation that ended before this tab knew of it shows nothing.
 */
export function showNewToasts({ id, state, toasts, problem }: Telling): void {
  const over = isOver(state);
  const known = told.get(id);
  const shown = known?.shown ?? (over ? toasts.length : 0);
  const fresh = toasts.slice(shown);
  remember(id, { shown: Math.max(shown, toasts.length), over });
  for (const { tone, text } of fresh) {
    toast[toneOf[tone]](text, { durationMs: durationOf(text, toasts) });
  }
  const justFailed = problem !== null && over && known?.over === false;
  if (justFailed && toasts.every(({ tone }) => tone !== 'bad')) toast.bad(failureText(problem));
}

/** The console's sentence, followed by the server's own words if there are any. */
function failureText({ message, remote }: Problem): string {
  const words = remote ? lastWords(remote.outputTail) : null;
  return words === null ? message : `${message} The server said: ${words}`;
}

/**
 * A changed plan's toast stays for 12 s and the restart's toast after it for 5 s. Other toasts stay for 9 s.
 */
export function durationOf(text: string, all: Operation['toasts']): number {
  if (text === messages.appPlanSelected) return toastMs.planUpdate;
  const afterPlan = all.some((each) => each.text === messages.appPlanSelected);
  return afterPlan && text === messages.appRestarted ? toastMs.restartAfterPlan : toastMs.action;
}

function remember(id: string, entry: Told) {
  const before = told.get(id);
  if (before?.shown === entry.shown && before.over === entry.over) return;
  told.delete(id);
  told.set(id, entry);
  for (const oldest of [...told.keys()].slice(0, -mostKept)) told.delete(oldest);
  try {
    sessionStorage.setItem(kept, JSON.stringify([...told]));
  } catch {
    // Without storage a reload may repeat a toast.
  }
}

function read(): Map<string, Told> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(kept) ?? '[]') as [string, Told][]);
  } catch {
    return new Map();
  }
}
