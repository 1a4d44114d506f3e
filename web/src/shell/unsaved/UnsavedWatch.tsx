import { useEffect, useState } from 'react';
import { tellPartMissing } from '../../ui/feedback/part-missing.ts';
import type { UnsavedGuard } from './UnsavedGuard.tsx';

/** Loads what asks before typed input is lost, once somebody reaches for a form: a page that is only read does without it. */
export function UnsavedWatch() {
  const [loaded, setLoaded] = useState<{ Guard: typeof UnsavedGuard; early: readonly Event[] } | null>(null);
  useEffect(() => watchFirstForm(setLoaded), []);
  return loaded && <loaded.Guard early={loaded.early} />;
}

/** Input that comes before the guard is kept for it. Returns how to stop. */
function watchFirstForm(
  onLoaded: (loaded: { Guard: typeof UnsavedGuard; early: readonly Event[] }) => void,
): () => void {
  const early: Event[] = [];
  const watch = new AbortController();
  let begun = false;
  const reach = async ({ target }: Event) => {
    if (begun || !(target instanceof Element) || !target.closest('form')) return;
    begun = true;
    const part = await import('./UnsavedGuard.tsx').catch(() => null);
    if (watch.signal.aborted) return;
    watch.abort();
    if (part) onLoaded({ Guard: part.UnsavedGuard, early });
    else tellPartMissing();
  };
  const captured = { capture: true, signal: watch.signal };
  for (const type of ['pointerover', 'focusin'])
    document.addEventListener(type, (event) => void reach(event), captured);
  for (const type of ['input', 'submit'])
    document.addEventListener(
      type,
      (event) => {
        early.push(event);
        void reach(event);
      },
      captured,
    );
  return () => watch.abort();
}
