import { z } from 'zod';
import type { Horizon } from './horizons.ts';

/**
 * A series as charts take it: at most the last 20 points of each horizon, oldest first. Time without a
 * measurement has no point.
 */
export const timeseriesOf = <Point extends z.ZodType>(point: Point) =>
  z.object({
    all: z.array(point),
    hourly: z.array(point),
    daily: z.array(point),
    monthly: z.array(point),
  } satisfies Record<Horizon, z.ZodType>);

export type TimeseriesOf<Point> = Record<Horizon, Point[]>;
