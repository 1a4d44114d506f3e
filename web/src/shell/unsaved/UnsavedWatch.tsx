import { type BlockerFn, type RouterHistory, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { tellPartMissing } from '../../ui/feedback/part-missing.ts';

/** Loads what asks before typed input is lost, once somebody reaches for a form: a page that is only read does without it. */
export function UnsavedWatch() {
  const { history } = useRouter();
  const [guard, setGuard] = useState<ReactNode>(null);
  useEffect(() => watchFirstForm(history, setGuard), [history]);
  return guard;
}

type WayOut = Parameters<BlockerFn>[0];

/**
 * Input that comes before the guard is kept for it. Who leaves with such input meanwhile is asked as soon as the guard has arrived: the
 * last way out that was held back is taken again then. Returns how to stop.
 */
function watchFirstForm(history: RouterHistory, onGuard: (guard: ReactNode) => void): () => void {
  const early: Event[] = [];
  const watch = new AbortController();
  let begun = false;
  const isTyped = () => early.at(-1)?.type === 'input';
  let held: WayOut | null = null;
  const hold = (way: WayOut) => {
    held = isTyped() ? way : null;
    return held !== null;
  };
  const reach = async ({ target }: Event) => {
    if (begun || !(target instanceof Element) || !target.closest('form')) return;
    begun = true;
    const release = history.block({ enableBeforeUnload: isTyped, blockerFn: hold });
    watch.signal.addEventListener('abort', release);
    const part = await import('./UnsavedGuard.tsx').catch(() => null);
    if (watch.signal.aborted) return;
    // Until the guard watches, a submit may still come: without it the guard would ask of what was sent.
    const handOver = () => {
      watch.abort();
      if (held) takeAgain(history, held);
      held = null;
    };
    if (part) onGuard(<part.UnsavedGuard early={early} onWatching={handOver} />);
    else {
      watch.abort();
      tellPartMissing();
    }
  };
  const captured = { capture: true, signal: watch.signal };
  for (const type of ['pointerover', 'focusin'])
    document.addEventListener(type, (event) => void reach(event), captured);
  for (const type of ['input', 'submit'])
    document.addEventListener(
      type,
      (event) => {
        early.push(event);
        // What was sent leads on by itself.
        if (type === 'submit') held = null;
        void reach(event);
      },
      captured,
    );
  return () => watch.abort();
}

function takeAgain(history: RouterHistory, { action, currentLocation, nextLocation }: WayOut): void {
  if (action === 'PUSH') history.push(nextLocation.href, nextLocation.state);
  else if (action === 'REPLACE') history.replace(nextLocation.href, nextLocation.state);
  else history.go(nextLocation.state.__TSR_index - currentLocation.state.__TSR_index);
}
