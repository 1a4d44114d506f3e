/** How far back a series looks. `all` holds single measurements: reports or checks. */
export const horizons = ['all', 'hourly', 'daily', 'monthly'] as const;
export type Horizon = (typeof horizons)[number];
/** The horizons whose points stand for an hour, a day or a month. */
export const aggregates = ['hourly', 'daily', 'monthly'] as const;
export type Aggregate = (typeof aggregates)[number];

/** How long the points of each horizon are kept, in days. Months are kept for good. */
export const keptDays = { raw: 2, hourly: 62, daily: 730 } as const;
