const waitAtMostMs = 500;

/** Resolves once what was drawn is painted; soon in a tab that nobody looks at, which the browser does not paint. */
export function afterPaint(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, waitAtMostMs);
    requestAnimationFrame(() => setTimeout(resolve));
  });
}
