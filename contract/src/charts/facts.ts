/** What a chart of any range can show of each kind of record. One series has one measure. */
export const chartMeasures = {
  server: [
    'cpu',
    'load',
    'io-wait',
    'ram',
    'swap',
    'disk',
    'received',
    'sent',
    'ping-eu',
    'ping-us',
    'ping-asia',
  ],
  /** `answer-time` is measured by the checks from outside, everything else by the server's agent. */
  app: ['memory', 'memory-share', 'cpu', 'received', 'sent', 'answer-time'],
  database: ['memory', 'memory-share', 'cpu', 'received', 'sent'],
} as const;
export type ChartSubject = keyof typeof chartMeasures;
export type ChartMeasure<S extends ChartSubject = ChartSubject> = (typeof chartMeasures)[S][number];

/** The points of one answer. A longer range has wider steps. */
export const chartRangePoints = 1_000;

const hourSeconds = 3_600;
export const chartSpanSeconds = {
  least: hourSeconds,
  byDefault: 24 * hourSeconds,
  most: 366 * 24 * hourSeconds,
} as const;

/** Where the points come from: single reports or checks, or their hours, days or months. */
export const chartSources = ['single', 'hourly', 'daily', 'monthly'] as const;
export type ChartSource = (typeof chartSources)[number];

/** The marks of one range. Of more, the newest are shown, and the others are counted. */
export const chartMarksAtMost = 200;
/** The series that one chart compares. */
export const chartSeriesAtMost = 8;
