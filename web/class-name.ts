import { basename } from 'node:path';

/**
 * The name that a class of a CSS Module has in the page: `Button_primary` for `.primary` of
 * Button.module.css. The drawn page and the program must use the same names, so a name depends only on the
 * class and its file. `web/src/css-modules.test.ts` checks that no two modules share a name.
 */
export const className = (local: string, file: string): string =>
  `${basename(file.split('?')[0] ?? file, '.module.css')}_${local}`;
