import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (name: string) => readFileSync(new URL(`../public/${name}`, import.meta.url));
const manifest = JSON.parse(read('manifest.webmanifest').toString()) as {
  icons: { src: string; sizes: string; type: string; purpose?: string }[];
  theme_color: string;
  background_color: string;
};

test('each icon of the installed console is there in its size, one of them to be cut by the device', () => {
  for (const { src, sizes, type } of manifest.icons) {
    const bytes = read(src.slice(1));
    if (type !== 'image/png') continue;
    // The size stands in a PNG's first chunk.
    expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, src).toBe(sizes);
  }
  expect(manifest.icons.filter(({ purpose }) => purpose === 'maskable')).toHaveLength(1);
});

test('the installed console has the background of its pages', () => {
  const tokens = readFileSync(new URL('./ui/css/tokens.css', import.meta.url), 'utf8');
  const [, background] = /--bg: light-dark\((#[0-9a-f]{6}),/.exec(tokens) ?? [];
  expect([manifest.theme_color, manifest.background_color]).toEqual([background, background]);
});
