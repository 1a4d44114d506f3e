import { messages } from '@homeport/contract/apps/messages';
import { toastMs } from '@homeport/contract/limits';
import { isOver, type OperationKind } from '@homeport/contract/operations/facts';
import type { Operation } from '@homeport/contract/operations/schema';
import type { Problem } from '@homeport/contract/problems/schema';
import { toast } from '../ui/feedback/toasts.ts';
import { toneOf } from '../ui/feedback/tones.ts';
import { remember, toldOf } from './expected-toasts.ts';

type Telling = Pick<Operation, 'id' | 'kind' | 'state' | 'toasts' | 'problem'>;

/**
 * Shows each toast of an operation once in this tab. If no toast reports a failure, shows the cause as a
 * toast of its own. An operation that ended before this tab knew of it shows nothing.
 */
export function showNewToasts({ id, kind, state, toasts, problem }: Telling): void {
  const over = isOver(state);
  const known = toldOf(id);
  const shown = known?.shown ?? (over ? toasts.length : 0);
  const fresh = toasts.slice(shown);
  remember(id, { shown: Math.max(shown, toasts.length), over });
  for (const { tone, text } of fresh) {
    toast[toneOf[tone]](text, { durationMs: durationOf(kind, text), operationId: id });
  }
  const justFailed = problem !== null && over && known?.over === false;
  if (justFailed && toasts.every(({ tone }) => tone !== 'bad')) {
    void tellFailure(problem, id);
  }
}

/**
 * Tells the console's sentence, followed by the server's own words if there are any that the sentence does not have. What reads these
 * words is loaded then; without it the sentence stands alone.
 */
async function tellFailure({ message, remote }: Problem, operationId: string): Promise<void> {
  const reader = remote ? await import('./last-words.ts').catch(() => null) : null;
  const words = reader && remote ? reader.lastWords(remote.outputTail) : null;
  const text =
    words === null || saysTheSame(message, words) ? message : `${message} The server said: ${words}`;
  toast.bad(text, { operationId });
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
