import { expect, vi } from 'vitest';

/**
 * How long every poll and wait of a test goes on at least. Each ends as soon as its condition holds, so this bounds what never comes, and says
 * nothing about speed. A busy machine runs ten times slower, and a test that gives up sooner is red by chance.
 */
const leastPatienceMs = 60_000;

type Wait = { timeout?: number; interval?: number };

const atLeast = <T extends Wait>(options: number | T = leastPatienceMs) =>
  typeof options === 'number'
    ? { timeout: Math.max(options, leastPatienceMs) }
    : { ...options, timeout: Math.max(options.timeout ?? 0, leastPatienceMs) };

const { waitFor, waitUntil } = vi;
vi.waitFor = (callback, options) => waitFor(callback, atLeast(options));
vi.waitUntil = (callback, options) => waitUntil(callback, atLeast(options));
const { poll } = expect;
expect.poll = (read, options = {}) => poll(read, atLeast(options));
