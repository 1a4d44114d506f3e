import { trimmedText } from '../fields/bounded-text.ts';

export const repositoryName = trimmedText(140).regex(
  /^[A-Za-z0-9][A-Za-z0-9-]{0,38}\/[A-Za-z0-9._-]{1,100}$/,
  'Enter a repository as owner/name.',
);

export const branchName = trimmedText(200).regex(
  /^[A-Za-z0-9_](?:[A-Za-z0-9._/-]*[A-Za-z0-9_-])?$/,
  'Enter a branch such as main.',
);

/** A name that Dokku and git take as it stands: a branch, or a commit's whole name or its beginning. */
export const gitRef = branchName.refine(
  (name) => !name.includes('..') && !name.includes('//') && !name.endsWith('.lock'),
  'Git does not take this name.',
);
