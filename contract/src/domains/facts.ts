/** The types of DNS record that Homeport edits. It shows records of other types as they are. */
export const editableTypes = ['A', 'AAAA', 'CNAME', 'TXT', 'MX', 'CAA', 'SRV'] as const;
export type EditableType = (typeof editableTypes)[number];

/** The types that Cloudflare can answer for with its own addresses. */
const proxiableTypes: readonly string[] = ['A', 'AAAA', 'CNAME'];
export const isProxiableType = (type: string) => proxiableTypes.includes(type);

/** Seconds. `automatic` leaves the choice to Cloudflare, and is the only value of a proxied record. */
export const recordTtl = { automatic: 1, least: 60, most: 86_400 } as const;

export const isTtl = (seconds: number) =>
  Number.isInteger(seconds) &&
  (seconds === recordTtl.automatic || (seconds >= recordTtl.least && seconds <= recordTtl.most));

/** The zones that are kept are asked for again when they are older than this, or by hand. */
export const zonesFreshMs = 5 * 60_000;
/** Zones of one account that Homeport lists, and records of one zone. Cloudflare may have more. */
export const zonesListed = 2_500;
export const recordsListed = 20_000;
/** Zones that are looked through for records that point at a server. */
export const zonesSearched = 100;
/** Records that one request changes together. */
export const recordsTogether = 100;
/** Records that go with an app, a domain or a server in one operation. Their names fit into the body of one request. */
export const recordsWithRemoval = 150;

/** What a name of a record may hold at Cloudflare. */
export const recordNameCharacters = 255;

/** The properties that RFC 8659 and RFC 9495 name. */
export const caaTags = ['issue', 'issuewild', 'issuemail', 'iodef'] as const;

/** The longest credential that Cloudflare gives out is far shorter. */
export const credentialCharacters = 200;

/** What the token may have to do, in the words of Cloudflare’s token editor. */
export const tokenPermissions = ['Zone DNS Edit', 'Zone Zone Read'] as const;

/** Cloudflare’s token editor with both permissions chosen for all zones (its “API token template URLs”). */
export const tokenPageUrl = `https://dash.cloudflare.com/profile/api-tokens?permissionGroupKeys=${encodeURIComponent(
  JSON.stringify([
    { key: 'dns', type: 'edit' },
    { key: 'zone', type: 'read' },
  ]),
)}&accountId=*&zoneId=all&name=Homeport`;

/** `secondary` and `partial` zones take their records from somewhere else, so that they are only shown. */
export const isReadOnlyZone = (type: string) => type !== 'full';

/** A number of 16 bits in a record: of its priority, weight or port (https://www.rfc-editor.org/rfc/rfc2782). */
export const recordNumberMost = 65_535;
export const notNumber16 = `Enter a number from 0 to ${recordNumberMost}.`;
