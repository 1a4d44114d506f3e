import { routes } from '@homeport/contract/routes';
import { expect, it } from 'vitest';
import { authTable } from '../identity/auth-table.ts';
import { describeApi } from './document.ts';

const document = await describeApi({ ...authTable, ...routes }, '1.2.3', 'https://console.example.com');

it('names every route of the table, and no other', () => {
  const named = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  );
  expect(named.sort()).toEqual([...Object.keys(authTable), ...Object.keys(routes)].sort());
});

it('refers only to components that it holds', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)];
  expect(references.length).toBeGreaterThan(20);
  for (const [, group = '', name = ''] of references) {
    expect(document.components).toHaveProperty([group, name]);
  }
  expect(JSON.stringify(document)).not.toContain('$defs');
});

it('says of a route who may call it, what it takes and what it answers', () => {
  expect(document.paths['/api/keys/{id}']?.delete).toMatchObject({
    security: [{ session: [] }, { token: ['keys:write'] }],
    parameters: [
      { name: 'id', in: 'path', required: true, schema: { type: 'string', pattern: '^[0-9a-f]{32}$' } },
    ],
    responses: {
      200: { content: { 'application/json': {} } },
      '4XX': { $ref: '#/components/responses/Problem' },
    },
  });
  expect(document.paths['/api/operations/{id}/events']?.get).toMatchObject({
    responses: { 200: { content: { 'text/event-stream': {} } } },
  });
  expect(document.paths['/api/live']?.get).toMatchObject({
    responses: {
      101: {
        description: expect.stringMatching(/homeport\.live\.v1.*#\/components\/schemas\/LivePageMessage/),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/LiveConsoleMessage' } } },
      },
    },
  });
  expect(document.paths['/api/configuration']?.get).toMatchObject({ security: [] });
  expect(document.openapi).toBe('3.1.0');
});
