/**
 * How a key stands on a server. `named`: the server has it under a name. `absent`: the server lacks it. `misnamed`: the server has it under
 * a name that Homeport passes on to no command. `keyless`: the app's list names it, and the server has no key of that name.
 */
export const keyStandings = ['named', 'absent', 'misnamed', 'keyless'] as const;

/** So many names of an app's list are changed, and so many keys of a server are shown beside the person's own. */
export const pushNamesAtMost = 200;

/** A name that is to get onto a list may be that of so many keys. Somebody wrote a second one by hand. */
export const keysOfName = 20;

export const noPusherLeft =
  'Choose at least one key. With an empty list, every key of the server may push to the app.';
