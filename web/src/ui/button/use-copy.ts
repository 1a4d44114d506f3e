import { useEffect, useState } from 'react';

const confirmsForMs = 2_000;

type Copyable = string | Promise<string>;

/** Copies text. `copied` lasts 2 s. A refusal by the browser (no permission, no focus) gives `failed`. */
export function useCopy(): { state: 'idle' | 'copied' | 'failed'; copy: (text: Copyable) => void } {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), confirmsForMs);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = (text: Copyable) => {
    write(text).then(
      () => setState('copied'),
      () => setState('failed'),
    );
  };
  return { state, copy };
}

async function write(text: Copyable): Promise<void> {
  // Without a secure context the clipboard object does not exist.
  const { clipboard } = navigator;
  if (!clipboard) throw new Error('no clipboard');
  // The browser allows copying for a short time after a click. A text that is still on its way is handed over as a promise,
  // so that the time does not run out meanwhile. Firefox has this since version 127.
  if (typeof text === 'string' || typeof ClipboardItem === 'undefined') {
    return clipboard.writeText(await text);
  }
  const blob = text.then((whole) => new Blob([whole], { type: 'text/plain' }));
  return clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
}
