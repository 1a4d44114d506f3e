import { readFileSync } from 'node:fs';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** Constants of the build: the page and the server are built from the same sources. */
export const defined = { 'import.meta.env.HOMEPORT_VERSION': JSON.stringify(version) };
