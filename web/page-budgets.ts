/**
 * The JavaScript that a browser must fetch before a page can be used, in kB (1,000 bytes) after gzip. The
 * build fails when a page is over its budget (`vite.config.ts`). `bench/page` measures the same pages in a
 * browser.
 */
export const scriptKbAtMost = {
  '/login': 81.4,
  '/login and what it loads later': 95.5,
  '/home': 146,
  '/app': 196,
  '/apps/new': 178,
  '/database': 193,
  '/domains': 158,
  '/domain': 188,
  '/profile': 173,
  '/proxy': 174,
  '/server': 195,
} as const;
