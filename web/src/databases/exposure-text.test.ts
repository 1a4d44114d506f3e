import { expect, test } from 'vitest';
import { exposureOf, portPair } from './exposure-text.ts';

const port = (containerPort: number, hostPort: number, address: string | null = '127.0.0.1') => ({
  containerPort,
  hostPort,
  address,
});

test('a pair names the port of the container, and the address and port of the server', () => {
  expect(portPair(port(5432, 21_000))).toBe('5432 → 127.0.0.1:21000');
  expect(portPair(port(5432, 21_000, 'fd00::5'))).toBe('5432 → [fd00::5]:21000');
  expect(portPair(port(5432, 21_000, null))).toBe('5432 → all addresses:21000');
});

test('a list names the first place, counts the others, and knows when there is none', () => {
  expect(exposureOf({ ports: [] })).toBeNull();
  expect(exposureOf({ ports: [port(9000, 21_000), port(8123, 21_001)] })).toEqual({
    first: '127.0.0.1:21000',
    more: 1,
  });
});
