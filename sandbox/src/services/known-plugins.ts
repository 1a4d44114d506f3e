import type { Plugin } from '../machine/state.ts';
import { allServiceKinds, pluginOfKind } from './kinds.ts';

/** The plugins that the console installs, by name. The sandbox downloads nothing. */
export const knownPlugins: readonly Plugin[] = [
  {
    name: 'acl',
    version: '1.5.1',
    description: 'dokku plugin that can be used to restrict push privileges for app to certain users',
    url: 'https://github.com/dokku-community/dokku-acl.git',
  },
  {
    name: 'letsencrypt',
    version: '0.25.1',
    description: "Automated installation of let's encrypt TLS certificates",
    url: 'https://github.com/dokku/dokku-letsencrypt.git',
  },
  ...allServiceKinds.map(pluginOfKind),
];
