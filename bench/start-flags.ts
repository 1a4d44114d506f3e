import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { root } from '../scripts/install.mjs';

const manifest = z.object({ scripts: z.object({ start: z.string() }) });

/** The options that `npm start` gives to Node. */
export const startFlags = manifest
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
  .scripts.start.split(' ')
  .filter((word) => word.startsWith('--'));
