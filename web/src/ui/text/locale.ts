/**
 * The locale in which the page writes and sorts. Numbers, dates and texts take the locale from here, because a browser can name a
 * language that `Intl` refuses: WebKit under LANG=C.UTF-8 says `C`.
 */

/** English, with the day before the month. */
const fallback = 'en-GB';

/** The first of the browser's languages that `Intl` takes (BCP 47). English without one. */
export function chooseLocale(languages: readonly string[] | undefined): string {
  return languages?.find(isTag) ?? fallback;
}

// The build draws documents in Node, where nobody has a language.
export const pageLocale = chooseLocale(typeof navigator === 'undefined' ? undefined : navigator.languages);

/**
 * Puts the page's locale in place of a language that `Intl` refuses. Libraries give the browser's language to `Intl` unchecked:
 * uPlot does so when it loads, and would take the page with it.
 */
export function mendLanguage(browser: Pick<Navigator, 'language'>): void {
  if (isTag(browser.language)) return;
  Object.defineProperty(browser, 'language', { value: pageLocale, configurable: true });
}

function isTag(language: string): boolean {
  try {
    return Intl.getCanonicalLocales(language).length > 0;
  } catch {
    return false;
  }
}
