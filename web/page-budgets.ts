/**
 * The JavaScript that a browser must fetch before a page can be used, in kB (1,000 bytes) after gzip. The
 * build fails when a page is over its budget (`vite.config.ts`). `bench/page` measures the same pages in a
 * browser.
 */
export const scriptKbAtMost = {
  '/login': 85,
  '/login and what it loads later': 99,
  '/home': 155,
  '/app': 206,
  '/apps/new': 999,
  '/database': 999,
  '/domains': 167,
  '/domain': 202,
  '/profile': 999,
  '/proxy': 999,
  '/server': 999,
} as const;
