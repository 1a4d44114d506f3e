import type { Destination } from '@homeport/contract/destinations/schema';
import type { BrowserState } from './browser-state.ts';

/** What a browser's destination is to the browser that shows it, and whether that one is offered to be turned on again. */
export function sayBrowser(
  state: Destination['state'],
  browser: BrowserState,
): { text: string; isOffered: boolean } {
  switch (browser) {
    case 'lost':
      return {
        text: 'This browser has dropped its notifications of this console, so nothing arrives here.',
        isOffered: true,
      };
    case 'other-key':
      return {
        text: 'This browser was turned on with a key that the console no longer has, so nothing arrives here.',
        isOffered: true,
      };
    case 'here':
      return state === 'broken'
        ? { text: 'This is the browser that you use now. Nothing is sent to it.', isOffered: true }
        : { text: `This is the browser that you use now. ${goesOn[state]}`, isOffered: false };
    case 'elsewhere':
      return state === 'broken'
        ? {
            text: 'Nothing is sent to this browser. Open this page in it to turn it on again, or remove the destination.',
            isOffered: false,
          }
        : { text: `This is another browser, as far as this one knows. ${goesOn[state]}`, isOffered: false };
  }
}

const goesOn = {
  on: 'News is sent to it until you remove the destination, also while nobody is signed in there.',
  off: 'It is switched off, so nothing is sent to it.',
} as const;
