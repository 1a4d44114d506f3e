import { FitAddon } from '@xterm/addon-fit';
import { type ISearchDecorationOptions, SearchAddon } from '@xterm/addon-search';
import { type ITheme, Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { holdWithoutInlineStyles } from './inline-styles.ts';
import { openLink, shownAddress } from './link-address.ts';
import { leaveUnanswered } from './unanswered.ts';

export interface Screen {
  terminal: Terminal;
  search: SearchAddon;
  /** How found places are marked. The finder counts only what it marks. */
  marks: ISearchDecorationOptions;
  /** Fits columns and rows to the element. */
  fit: () => void;
  dispose: () => void;
}

/**
 * A screen that trusts no program on the server: a link opens by a click and only to the web, the clipboard is not reachable, and the
 * title of the page stays.
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
      hover: (_event, address) => parent.setAttribute('title', shownAddress(address)),
      leave: () => parent.removeAttribute('title'),
      allowNonHttpProtocols: false,
    },
  });
  const fit = new FitAddon();
  const search = new SearchAddon();
  terminal.loadAddon(fit);
  terminal.loadAddon(search);
  leaveUnanswered(terminal.parser);
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
