import { useEffect, useState } from 'react';

const confirmsForMs = 2_000;

/** Copies text. `copied` lasts 2 s. A refusal by the browser (no permission, no focus) gives `failed`. */
export function useCopy(): { state: 'idle' | 'copied' | 'failed'; copy: (text: string) => void } {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), confirmsForMs);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = (text: string) => {
    // Without a secure context the clipboard object does not exist.
    const written = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'));
    written.then(
      () => setState('copied'),
      () => setState('failed'),
    );
  };
  return { state, copy };
}
