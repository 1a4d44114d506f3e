import { z } from 'zod';

/**
 * A series as charts take it: at most the last 20 points of each horizon, oldest first; missing time is missing. `all` holds
 * what was measured one by one, single reports or checks.
 */
export const timeseriesOf = <Point extends z.ZodType>(point: Point) =>
  z.object({
    all: z.array(point),
    hourly: z.array(point),
    daily: z.array(point),
    monthly: z.array(point),
  });

export type TimeseriesOf<Point> = Record<keyof ReturnType<typeof timeseriesOf>['shape'], Point[]>;
