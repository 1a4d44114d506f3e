import { testDatabase } from '@homeport/store/testing';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { addHealth } from './health.ts';

test('is ready while the store answers, and alive but not ready without it', async () => {
  await using database = await testDatabase();
  const fastify = Fastify();
  const loop = { delay: () => ({ p99Ms: 3, worstMs: 12 }) };
  addHealth(fastify, database.store, { version: '1.2.3', services: ['api'] }, loop);

  const ready = await fastify.inject('/readyz');
  expect(ready.statusCode).toBe(200);
  expect(ready.json()).toEqual({
    product: 'homeport',
    status: 'ok',
    version: '1.2.3',
    services: ['api'],
    loop: { p99Ms: 3, worstMs: 12 },
  });

  expect((await fastify.inject('/healthz')).json()).toMatchObject({ status: 'ok' });

  await database.store.close();
  const unready = await fastify.inject('/readyz');
  expect(unready.statusCode).toBe(503);
  expect(unready.json()).toMatchObject({ status: 'store_unavailable' });
  const alive = await fastify.inject('/healthz');
  expect(alive.statusCode).toBe(200);
  expect(alive.json()).toMatchObject({ status: 'store_unavailable' });
  await fastify.close();
});
