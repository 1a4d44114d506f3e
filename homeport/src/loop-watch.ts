import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { Logger } from 'pino';

export type LoopDelay = {
  /** Milliseconds that the event loop was late, at the 99th percentile and at worst. */
  p99Ms: number;
  worstMs: number;
};

export type LoopWatch = {
  /** The delay in the last whole minute and in the current one. */
  delay(): LoopDelay;
  stop(): void;
};

/** A timer of libuv samples the loop 20 times a second, without a call into JavaScript. */
const sampleMs = 50;
const minuteMs = 60_000;
/** A page feels slow when it waits this long. */
const warnAtMs = 200;

/**
 * Page, api, monitor and SSH share one event loop, so work that blocks the loop stops everybody. The watch reports delays to the
 * operator: in `/readyz` and, once a minute at most, in the log.
 */
export function watchLoop(log: Pick<Logger, 'warn'>, everyMs = minuteMs): LoopWatch {
  // Two that overlap: a histogram that is emptied misses what happens until its next sample (`Histogram::Reset` of Node).
  let older = startHistogram();
  let newer = startHistogram();
  const timer = setInterval(() => {
    const found = read(newer);
    older.disable();
    older = newer;
    newer = startHistogram();
    if (found.worstMs >= warnAtMs) log.warn(found, 'the event loop was held up');
  }, everyMs);
  timer.unref();
  return {
    delay: () => read(older),
    stop() {
      clearInterval(timer);
      older.disable();
      newer.disable();
    },
  };
}

function startHistogram(): IntervalHistogram {
  const histogram = monitorEventLoopDelay({ resolution: sampleMs });
  histogram.enable();
  return histogram;
}

/** The histogram holds the time from sample to sample. The planned pause between samples is no delay, so it is subtracted. */
function read(histogram: IntervalHistogram): LoopDelay {
  const late = (nanoseconds: number) => Math.max(0, Math.round(nanoseconds / 1e6) - sampleMs);
  return histogram.count === 0
    ? { p99Ms: 0, worstMs: 0 }
    : { p99Ms: late(histogram.percentile(99)), worstMs: late(histogram.max) };
}
