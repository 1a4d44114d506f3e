import { toastMs } from '@homeport/contract/limits';
import { messages } from '@homeport/contract/messages';
import { isOver, type OperationKind } from '@homeport/contract/operations/facts';
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

type Telling = Pick<Operation, 'id' | 'kind' | 'state' | 'toasts' | 'problem'>;

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
export function showNewToasts({ id, kind, state, toasts, problem }: Telling): void {
  const over = isOver(state);
  const known = told.get(id);
  const shown = known?.shown ?? (over ? toasts.length : 0);
  const fresh = toasts.slice(shown);
  remember(id, { shown: Math.max(shown, toasts.length), over });
  for (const { tone, text } of fresh) {
    toast[toneOf[tone]](text, { durationMs: durationOf(kind, text), operationId: id });
  }
  const justFailed = problem !== null && over && known?.over === false;
  if (justFailed && toasts.every(({ tone }) => tone !== 'bad')) {
    toast.bad(failureText(problem), { operationId: id });
  }
}

/** The console's sentence, followed by the server's own words if there are any that the sentence does not have. */
function failureText({ message, remote }: Problem): string {
  const words = remote ? lastWords(remote.outputTail) : null;
  return words === null || saysTheSame(message, words) ? message : `${message} The server said: ${words}`;
}

/** A long reason of the server's ends in an ellipsis. */
const saysTheSame = (message: string, words: string) => message.includes(words.replace(/…$/, ''));

/**
 * In milliseconds. While a plan changes, the toasts of the plan stay for 12 s and the toast of the restart for
 * 5 s. All other toasts stay for 9 s, also those of the plan with which an app is created.
 */
export function durationOf(kind: OperationKind, text: string): number {
  if (kind !== 'app.plan') return toastMs.action;
  if (text === messages.appRestarted) return toastMs.restartAfterPlan;
  return text === messages.appPlanSelected || text === messages.appUpdated
    ? toastMs.planUpdate
    : toastMs.action;
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
