import type { MouseEvent } from 'react';

/** A click for a new tab, a new window or a download belongs to the browser. */
export const wantsAnotherPlace = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button !== 0 || metaKey || ctrlKey || shiftKey || altKey;
