import { useEffect } from 'react';

/** Sends the form again that a person sent before the program of the page had loaded: `before-paint.js` has noted that. */
export function SentEarly() {
  useEffect(() => {
    const { dataset } = document.documentElement;
    if (dataset.sent === undefined) return;
    delete dataset.sent;
    document.querySelector('form')?.requestSubmit();
  }, []);
  return null;
}
