/** The name of Homeport's own Dokku plugin, before the colon of its commands. */
export const pluginName = 'homeport';
