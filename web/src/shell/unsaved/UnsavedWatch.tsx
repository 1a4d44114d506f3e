import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { tellPartMissing } from '../../ui/feedback/part-missing.ts';
import { holdUntil, type Leaving } from './hold-until.ts';

/** Loads what asks before typed input is lost, once somebody reaches for a form: a page that is only read does without it. */
export function UnsavedWatch() {
  const { history } = useRouter();
  const [guard, setGuard] = useState<ReactNode>(null);
  useEffect(() => watchFirstForm(history, setGuard), [history]);
  return guard;
}

/** Input that comes before the guard is kept for it, and whoever leaves meanwhile waits for it. Returns how to stop. */
function watchFirstForm(leaving: Leaving, onGuard: (guard: ReactNode) => void): () => void {
  const early: Event[] = [];
  const watch = new AbortController();
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  let release: (() => void) | null = null;
  let begun = false;
  const end = () => {
    arrive();
    release?.();
  };
  const reach = async ({ target }: Event) => {
    if (begun || !(target instanceof Element) || !target.closest('form')) return;
    begun = true;
    const part = await import('./UnsavedGuard.tsx').catch(() => null);
    if (watch.signal.aborted) return;
    watch.abort();
    if (part) onGuard(<part.UnsavedGuard early={early} onWatching={end} />);
    else {
      end();
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
        void reach(event);
        // A field outside of forms, as that of a search, holds no work, and no guard comes for it.
        if (!begun) return;
        early.push(event);
        release ??= holdUntil(arrived, leaving, () => early.at(-1)?.type === 'input');
      },
      captured,
    );
  return () => {
    watch.abort();
    end();
  };
}
