import { storageCapGb } from '@homeport/contract/limits';

/** Dokku has no quota for a folder, so the size that the specification names is no promise. */
export const storageTexts = {
  offer: `A folder that outlives deploys. Its size is shown beside ${storageCapGb} GB; the server sets it no bound.`,
  kept: `Kept across deploys, at most ${storageCapGb} GB, which the server does not enforce.`,
};
