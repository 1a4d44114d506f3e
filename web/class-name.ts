import { basename } from 'node:path';

/**
 * The name that a class of a CSS Module has in the page: `Button_primary` for `.primary` of Button.module.css. The page that
 * the build draws and the program have to agree, so the name depends on nothing else. `web/src/ui/css-modules.test.ts` sees to
 * it that no two modules have the same name.
 */
export const className = (local: string, file: string): string =>
  `${basename(file.split('?')[0] ?? file, '.module.css')}_${local}`;
