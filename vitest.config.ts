import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Unit and integration tests of every room; the ones in a browser are `e2e/`, run by Playwright. */
export default defineConfig({
  test: {
    include: ['*/{src,testing,test}/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', 'e2e/**'],
    environment: 'node',
    // Most tests wait for other programs (PostgreSQL, sshd, git). With a worker per core the cores idled for a quarter of the run.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    // The files of a worker share one process: starting one for each of 200 files took a quarter of the whole run. So a test
    // that changes a global, the environment or a clock puts it back. What Vitest knows to be changed is put back behind each file.
    isolate: false,
    setupFiles: ['store/testing/put-back.ts'],
    globalSetup: ['store/testing/global-setup.ts'],
    // Ends a test that hangs, and says nothing about speed: a test that starts a dozen programs takes long beside other work.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
