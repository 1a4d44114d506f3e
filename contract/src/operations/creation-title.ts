const beginning = 'Creation of ';

/** The title of an operation that creates something, which is listed as work. */
export const creationTitle = (name: string): string => beginning + name;

/** The name that the person typed. The longname has random letters at its end. */
export const nameOfCreation = (title: string): string =>
  title.startsWith(beginning) ? title.slice(beginning.length) : title;
