import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@homeport/contract/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { hostileName, startMeasured } from './measured-fixture.ts';

/** `npm test` installs them on Debian. In CI a missing one fails the tests; elsewhere they are left out. */
const lacksPrometheus = !process.env.CI && spawnSync('promtool', ['--version']).status !== 0;

const guide = readFileSync(new URL('../../../docs/metrics.md', import.meta.url), 'utf8');
const alert = /^- alert:[^`]*/m.exec(guide)?.[0] ?? '';
const token = 'hp_of_prometheus';

let measured: Awaited<ReturnType<typeof startMeasured>>;
let folder: string;
beforeAll(async () => {
  measured = await startMeasured();
  folder = await mkdtemp(join(tmpdir(), 'homeport-prometheus-'));
});
afterAll(async () => {
  await measured[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const scrape = () =>
  measured.monitor.app.inject({ url: '/metrics', headers: { 'x-user': measured.server.owner } });

/** `promtool` with words, of which `-` would be a file. Throws with its complaint when it finds a mistake. */
const promtool = (words: readonly string[], input = '') =>
  execFileSync('promtool', words, { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] });

test.skipIf(lacksPrometheus)(
  'promtool finds no mistake in an answer, and finds one in a wrong answer',
  async () => {
    const { body } = await scrape();
    expect(promtool(['check', 'metrics'], body)).toBe('');
    expect(() => promtool(['check', 'metrics'], body.replaceAll('_total', '_count'))).toThrow();
  },
);

test.skipIf(lacksPrometheus)('promtool takes the alert of the guide', async () => {
  const file = join(folder, 'rules.yml');
  await writeFile(file, `groups:\n- name: homeport\n  rules:\n${alert.replace(/^/gm, '  ')}\n`);
  expect(promtool(['check', 'rules', file])).toContain('1 rules found');
});

test.skipIf(lacksPrometheus)(
  'Prometheus scrapes with the token, and answers queries of the guide',
  async () => {
    await using front = await startFront();
    await using prometheus = await startPrometheus(front.port);
    await expect
      .poll(() => prometheus.query('up{job="homeport"}'))
      .toEqual([expect.objectContaining({ value: '1' })]);
    expect(new Set(front.tokens)).toEqual(new Set([`Bearer ${token}`]));

    const [joined, ...more] = await prometheus.query(
      'homeport_server_load1 * on(server) group_left(name) homeport_server_info',
    );
    expect(more).toEqual([]);
    expect(joined?.metric.name).toBe(hostileName);
    expect(await prometheus.query('homeport_app_memory_used_bytes{app="shop"}')).toEqual([
      expect.objectContaining({ value: '600' }),
    ]);
    // The report was measured at the test's own time, long ago by the clock of Prometheus.
    const [, expression = ''] = /^ +expr: (.+)$/m.exec(alert) ?? [];
    expect(await prometheus.query(expression)).toHaveLength(1);
  },
);

/** The console's own door in front of the monitor, which takes the token. */
async function startFront() {
  const tokens: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    tokens.push(request.headers.authorization);
    void scrape().then(({ statusCode, headers, body }) => {
      response.writeHead(statusCode, { 'content-type': String(headers['content-type']) });
      response.end(body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    tokens,
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const answerSchema = z.object({
  data: z.object({
    result: z.array(
      z
        .object({ metric: z.record(z.string(), z.string()), value: z.tuple([z.number(), z.string()]) })
        .transform(({ metric, value }) => ({ metric, value: value[1] })),
    ),
  }),
});

/** Debian's Prometheus, with the configuration of the guide but for the address and the interval. */
async function startPrometheus(target: number) {
  const file = (name: string) => join(folder, name);
  const [, example = ''] = /```yaml\n(scrape_configs:[^`]*)```/.exec(guide) ?? [];
  const config = example
    .replace('scheme: https', 'scheme: http')
    .replace('scrape_interval: 1m', 'scrape_interval: 1s')
    .replace('/etc/prometheus/homeport-token', file('token'))
    .replace('console.example.com', `127.0.0.1:${target}`);
  await writeFile(file('token'), token);
  await writeFile(file('prometheus.yml'), config);
  const port = await freePort();
  const child: ChildProcess = spawn(
    'prometheus',
    [
      `--config.file=${file('prometheus.yml')}`,
      `--storage.tsdb.path=${file('data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  );
  const ended = once(child, 'exit');
  return {
    /** What an instant query finds. Nothing while Prometheus does not answer yet. */
    async query(expression: string) {
      const url = `http://127.0.0.1:${port}/api/v1/query?${new URLSearchParams({ query: expression })}`;
      const answer = await fetch(url).catch(() => undefined);
      return answer?.ok ? answerSchema.parse(await answer.json()).data.result : [];
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
    },
  };
}
