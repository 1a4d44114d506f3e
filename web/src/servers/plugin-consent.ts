/** What the installation adds beside the monitoring agent and Dokku, for the person who agrees to it. */
export const pluginConsent =
  'The installation also adds a Dokku plugin of Homeport’s own: it reports the state of an app in one answer, so that pages cost the server little, and it keeps dumps of databases.';
