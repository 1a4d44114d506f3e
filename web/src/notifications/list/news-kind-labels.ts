import type { NewsKind } from '@homeport/contract/notifications/kinds';

/** What each kind of news is called where the list is filtered. */
export const newsKindLabels: Record<NewsKind, string> = {
  'app.down': 'App down',
  'server.offline': 'Server offline',
  'server.reboot': 'Server started anew',
  'server.disk': 'Full disk',
  'server.filling': 'Disk that fills up',
  'server.pressure': 'Server under pressure',
  'app.certificate': 'Certificate of an app',
  'app.deploy': 'Failed deploy',
  operation: 'Failed work',
  'database.backup': 'Backup of a database',
  'proxy.website': 'Website of a proxy',
  'proxy.certificate': 'Certificate of a proxy',
  'proxy.domain': 'Domain of a proxy',
  'console.backup': 'Backup of the console',
  destination: 'Broken destination',
};
