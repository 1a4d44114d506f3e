import { afterAll, vi } from 'vitest';
import './wait-long.ts';

// The files of a worker share one process. What a file leaves changed would fail another one, which another order of the files
// brings behind it.
afterAll(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.useRealTimers();
});
