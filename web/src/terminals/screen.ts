import { FitAddon } from '@xterm/addon-fit';
import { type ISearchDecorationOptions, SearchAddon } from '@xterm/addon-search';
import { type ITheme, Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { holdWithoutInlineStyles } from './inline-styles.ts';

export interface Screen {
  terminal: Terminal;
  search: SearchAddon;
  /** How found places are marked. The finder counts only what it marks. */
  marks: ISearchDecorationOptions;
  /** Fits columns and rows to the element. */
  fit: () => void;
  dispose: () => void;
}

/** OSC 52: a program asks for the clipboard. */
const clipboard = 52;
/** OSC 4, 10, 11 and 12 set colours, or ask for them by a question mark. */
const colourCodes = [4, 10, 11, 12] as const;
/** DECRQSS: a program asks for a setting. */
const settingRequest = { intermediates: '$', final: 'q' } as const;

/**
 * A screen that trusts no program on the server: a link opens by a click and only to the web, the clipboard is not reachable, and the
 * title of the page stays. What a program prints can make the screen type an answer, so only the questions that editors ask have one:
 * the kind of the terminal and the place of its cursor, which are numbers.
 */
export function createScreen(parent: HTMLElement): Screen {
  const release = holdWithoutInlineStyles();
  const tokens = getComputedStyle(parent);
  const token = (name: string) => tokens.getPropertyValue(name).trim();
  const terminal = new Terminal({
    // The finder's marks are such a part.
    allowProposedApi: true,
    scrollback: 5_000,
    cursorBlink: false,
    fontFamily: token('--font-mono'),
    fontSize: 13,
    lineHeight: 1.35,
    theme: themeOf(token, tokens),
    linkHandler: {
      activate: (_event, address) => openLink(address),
      // A link's text is the program's; where it leads stands beside the pointer.
      hover: (_event, address) => parent.setAttribute('title', address),
      leave: () => parent.removeAttribute('title'),
      allowNonHttpProtocols: false,
    },
  });
  const fit = new FitAddon();
  const search = new SearchAddon();
  terminal.loadAddon(fit);
  terminal.loadAddon(search);
  terminal.parser.registerOscHandler(clipboard, () => true);
  for (const code of colourCodes) terminal.parser.registerOscHandler(code, (data) => data.includes('?'));
  terminal.parser.registerDcsHandler(settingRequest, () => true);
  terminal.open(parent);
  return {
    terminal,
    search,
    marks: marksOf(token),
    fit: () => fit.fit(),
    dispose() {
      terminal.dispose();
      release();
    },
  };
}

function openLink(address: string): void {
  if (!URL.canParse(address)) return;
  const { protocol, href } = new URL(address);
  if (protocol === 'http:' || protocol === 'https:') window.open(href, '_blank', 'noopener,noreferrer');
}

const colours = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;

function themeOf(token: (name: string) => string, { color, backgroundColor }: CSSStyleDeclaration): ITheme {
  const ansi = Object.fromEntries(colours.map((name) => [name, token(`--ansi-${name}`)]));
  return { ...ansi, background: backgroundColor, foreground: color, cursor: color };
}

const marksOf = (token: (name: string) => string): ISearchDecorationOptions => ({
  matchBorder: token('--ansi-yellow'),
  matchOverviewRuler: token('--ansi-yellow'),
  activeMatchBorder: token('--ansi-cyan'),
  activeMatchColorOverviewRuler: token('--ansi-cyan'),
});
