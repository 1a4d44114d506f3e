/** The functions of a browser that is driven over the W3C's protocols, the same for each engine. */
export type Browser<T extends Tab = Tab> = {
  name: string;
  setCookies(cookies: readonly Cookie[]): Promise<void>;
  newTab(): Promise<T>;
  close(): Promise<void>;
};

export type Tab = {
  /** Begins to load a page, and does not wait for it. */
  goto(url: string): Promise<void>;
  /** The value of a script: a number, a text or a boolean. Awaits a promise. */
  evaluate(expression: string): Promise<unknown>;
};

/** A tab that also takes what a person does with the mouse and the keyboard, as the browser's own input. */
export type HandsOnTab = Tab & {
  perform(sources: readonly InputSource[]): Promise<void>;
  /** Uncaught errors and `console.error` of the page so far. Null where the protocol does not tell them. */
  errors(): readonly string[] | null;
};

export type Cookie = { name: string; value: string; url: string };

/** A source of input with its actions, in the form that both protocols take (https://www.w3.org/TR/webdriver2/#actions). */
export type InputSource =
  | { type: 'pointer'; id: 'mouse'; actions: readonly PointerAction[] }
  | { type: 'key'; id: 'keyboard'; actions: readonly KeyAction[] };

type PointerAction =
  | { type: 'pointerMove'; x: number; y: number }
  | { type: 'pointerDown' | 'pointerUp'; button: 0 };
type KeyAction = { type: 'keyDown' | 'keyUp'; value: string };

/** The size of every page, which is also that of the pages in Chromium. */
export const viewport = { width: 1440, height: 900 } as const;
