import { useEffect, useState } from 'react';
import { consoleTime, onConsoleTime } from './console-time.ts';

/**
 * The console's time, updated every `everyMs` milliseconds. null reads the time once. Times that this browser noted itself are
 * compared with `Date.now` as `clock`.
 */
export function useNow(everyMs: number | null, clock: () => number = consoleTime): number {
  const [now, setNow] = useState(clock);
  useEffect(() => {
    const read = () => setNow(clock());
    const stop = onConsoleTime(read);
    const timer = everyMs === null ? undefined : setInterval(read, everyMs);
    return () => {
      stop();
      clearInterval(timer);
    };
  }, [everyMs, clock]);
  return now;
}
