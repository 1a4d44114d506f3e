const waitAtMostMs = 500;

/**
 * Resolves after the next paint. A browser does not paint a hidden tab, so the promise also resolves after a
 * short wait.
 */
export function afterPaint(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, waitAtMostMs);
    requestAnimationFrame(() => setTimeout(resolve));
  });
}
