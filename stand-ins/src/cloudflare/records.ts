import { isIPv4, isIPv6 } from 'node:net';
import { domainToASCII } from 'node:url';
import { Refused } from './refused.ts';
import { newId, proxiable, type StandInRecord, type StandInZone, timeNow } from './zones.ts';

/** What a caller sends of a record. The types of its fields were not checked. */
type Sent = Record<string, unknown>;

/** Adds a record as the service does: names completed, a proxied one with TTL 1, no doubles. */
export function addRecord(zone: StandInZone, sent: Sent): StandInRecord {
  const now = timeNow();
  const record: StandInRecord = {
    id: newId(),
    comment: typeof sent.comment === 'string' ? sent.comment : null,
    tags: [],
    settings: {},
    meta: {},
    created_on: now,
    modified_on: now,
    ...checkedFields(zone, { ttl: 1, proxied: false, ...sent }),
  };
  refuseClash(zone, record);
  zone.records.set(record.id, record);
  return record;
}

/** PATCH: what is not sent stays. */
export function changeRecord(zone: StandInZone, record: StandInRecord, sent: Sent): StandInRecord {
  const { name, type, content, ttl, proxied, priority, data } = record;
  const before = { name, type, content, ttl, proxied, priority, data };
  const changed = {
    ...record,
    ...checkedFields(zone, { ...before, ...sent }),
    ...(typeof sent.comment === 'string' && { comment: sent.comment }),
    modified_on: timeNow(),
  };
  refuseClash(zone, changed);
  zone.records.set(record.id, changed);
  return changed;
}

function checkedFields(zone: StandInZone, sent: Sent) {
  const type = String(sent.type);
  const proxied = sent.proxied === true;
  if (proxied && !proxiable(type)) throw new Refused(400, 9004, 'This record type cannot be proxied.');
  const ttl = typeof sent.ttl === 'number' ? sent.ttl : 1;
  if (ttl !== 1 && (ttl < 60 || ttl > 86_400)) {
    throw new Refused(400, 9021, 'TTL must be between 60 and 86400 seconds, or 1 for Automatic.');
  }
  const data = typeof sent.data === 'object' && sent.data !== null ? { ...sent.data } : undefined;
  return {
    name: wholeName(zone, String(sent.name)),
    type,
    content: data ? Object.values(data).join(' ') : checkedContent(type, String(sent.content ?? ''), proxied),
    ttl: proxied ? 1 : ttl,
    proxied,
    proxiable: proxiable(type),
    ...(typeof sent.priority === 'number' && { priority: sent.priority }),
    ...(data && { data }),
  };
}

function checkedContent(type: string, content: string, proxied: boolean): string {
  if (type === 'A' && !isIPv4(content)) {
    throw new Refused(400, 9005, 'Content for A record must be a valid IPv4 address.');
  }
  if (type === 'AAAA' && !isIPv6(content)) {
    throw new Refused(400, 9005, 'Content for AAAA record must be a valid IPv6 address.');
  }
  if (proxied && type === 'A' && /^(?:127\.|0\.|255\.)/.test(content)) {
    throw new Refused(400, 9003, 'Target is not allowed for a proxied record.');
  }
  return type === 'CNAME' || type === 'MX' || type === 'NS' ? withoutDot(content.toLowerCase()) : content;
}

function wholeName(zone: StandInZone, sent: string): string {
  const name = withoutDot(sent.toLowerCase());
  if (/[^!-~]/.test(name)) throw new Refused(400, 9000, 'DNS name is invalid.');
  const ascii = domainToASCII(name) || name;
  if (ascii === '@' || ascii === zone.name) return zone.name;
  return ascii.endsWith(`.${zone.name}`) ? ascii : `${ascii}.${zone.name}`;
}

const withoutDot = (name: string) => (name.endsWith('.') ? name.slice(0, -1) : name);

/** The rules for records of one name. */
function refuseClash(zone: StandInZone, record: StandInRecord): void {
  const others = [...zone.records.values()].filter(
    ({ id, name }) => id !== record.id && name === record.name,
  );
  const identical = others.find(({ type, content }) => type === record.type && content === record.content);
  if (identical) throw new Refused(400, 81058, 'An identical record already exists.');
  const isAddress = (type: string) => proxiable(type);
  const clash = others.find(
    ({ type }) =>
      (record.type === 'CNAME' && isAddress(type)) || (type === 'CNAME' && isAddress(record.type)),
  );
  if (clash) {
    throw new Refused(400, 81053, 'An A, AAAA, or CNAME record with that host already exists.');
  }
}
