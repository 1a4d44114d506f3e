/** A visitor may cause a failure with each request. The console reads and logs no more than these. */
const reportsAtOnce = 20;
const inMs = 10_000;
const textLength = 4_000;

export type Reporter = (error: unknown, what: string) => void;

/** Passes on the first failures of each ten seconds. The next one after that tells how many were left out. */
export function boundReports(
  pass: (report: { what: string; text: string }) => void,
  now: () => number = () => performance.now(),
): Reporter {
  let windowEndsAt = 0;
  let passed = 0;
  let leftOut = 0;
  return (error, what) => {
    if (now() >= windowEndsAt) {
      windowEndsAt = now() + inMs;
      passed = 0;
    }
    if (passed >= reportsAtOnce) {
      leftOut += 1;
      return;
    }
    passed += 1;
    const before = leftOut === 0 ? '' : `(${leftOut} further failures before this one) `;
    leftOut = 0;
    pass({ what, text: (before + textOf(error)).slice(0, textLength) });
  };
}

export function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
