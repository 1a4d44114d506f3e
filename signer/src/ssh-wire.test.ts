import { expect, it } from 'vitest';
import { fromHex, hex } from './bytes.ts';
import { mpint, readWire, string, uint32, WireError } from './ssh-wire.ts';

it.each([
  ['0', '', '00000000'],
  ['0 in one byte', '00', '00000000'],
  ['9a378f9b2e332a7, the example of RFC 4251', '09a378f9b2e332a7', '0000000809a378f9b2e332a7'],
  ['80, whose top bit is set', '80', '000000020080'],
  ['7f', '7f', '000000017f'],
  ['a number with needless zeros', '0000ff', '0000000200ff'],
])('writes the mpint %s', (_name, magnitude, encoded) => {
  expect(hex(mpint(fromHex(magnitude) ?? new Uint8Array(1)))).toBe(encoded);
});

it('reads back what it writes', () => {
  const wire = readWire(
    new Uint8Array([...string('ähre'), ...uint32(4_000_000_000), ...mpint(Uint8Array.of(0, 200, 1)), 7]),
  );
  expect([wire.text(), wire.uint32(), hex(wire.mpint()), wire.byte(), wire.remaining()]).toEqual([
    'ähre',
    4_000_000_000,
    'c801',
    7,
    0,
  ]);
});

it('refuses a length that goes past the end, whatever its size', () => {
  expect(() => readWire(Uint8Array.of(255, 255, 255, 255, 0)).string()).toThrow(WireError);
  expect(() => readWire(Uint8Array.of(0, 0)).uint32()).toThrow(WireError);
});
