/** Runs at the first call at once, and for all calls within the next `ms` milliseconds once when they are over. */
export function atMostEvery(ms: number, run: () => void) {
  let rest: ReturnType<typeof setTimeout> | null = null;
  let asked = false;
  const go = () => {
    asked = false;
    rest = setTimeout(() => {
      rest = null;
      if (asked) go();
    }, ms);
    run();
  };
  return {
    ask(): void {
      asked = true;
      if (rest === null) go();
    },
    stop(): void {
      if (rest !== null) clearTimeout(rest);
      rest = null;
      asked = false;
    },
  };
}
