import manifest from '../package.json' with { type: 'json' };

/** The version of this program: that of the console of the same release. */
export const { version } = manifest;
