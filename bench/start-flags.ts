import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { root } from '../scripts/install.mjs';

const manifest = z.object({ scripts: z.object({ start: z.string() }) });

const words = manifest
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
  .scripts.start.split(' ');

/** The options that `npm start` gives to Node. */
export const startFlags = words.filter((word) => word.startsWith('--'));

/** The variables that `npm start` sets. */
export const startVariables: Record<string, string> = Object.fromEntries(
  words.filter((word) => /^[A-Z_]+=/.test(word)).map((word) => word.split('=')),
);
