import {
  caaTags,
  type EditableType,
  editableTypes,
  isProxiableType,
  isTtl,
  notNumber16,
  recordNumberMost,
  recordTtl,
} from '@homeport/contract/domains/facts';
import type { DnsRecord, RecordInput, Zone } from '@homeport/contract/domains/schema';
import { messages } from '@homeport/contract/messages';

/** The texts of the form. Each type uses some of them. */
export interface RecordForm {
  type: EditableType;
  host: string;
  content: string;
  ttl: string;
  proxied: boolean;
  priority: string;
  weight: string;
  port: string;
  flags: string;
  tag: string;
  sent: boolean;
}

export type RecordField = Exclude<keyof RecordForm, 'type' | 'proxied' | 'sent'>;
export type RecordFormEvent =
  | { kind: 'type'; type: EditableType }
  | { kind: 'text'; field: RecordField; text: string }
  | { kind: 'proxied'; proxied: boolean }
  | { kind: 'sent' };

/** New records are automatic and on Cloudflare. `address`: the one that an A record begins with. */
export function newRecordForm(address: string): RecordForm {
  return {
    type: 'A',
    host: '',
    content: address,
    ttl: String(recordTtl.automatic),
    proxied: true,
    priority: '10',
    weight: '0',
    port: '',
    flags: '0',
    tag: 'issue',
    sent: false,
  };
}

/** The form of a record that stands already. Null: Homeport does not edit its type. */
export function recordFormOf(record: DnsRecord, zone: Pick<Zone, 'name'>): RecordForm | null {
  const type = editableTypes.find((each) => each === record.type);
  if (!type || (type === 'CAA' && !record.caa) || (type === 'SRV' && !record.srv)) return null;
  const { srv, caa, priority, ttl, proxied } = record;
  return {
    ...newRecordForm(''),
    type,
    host:
      record.name === zone.name
        ? '@'
        : record.shownName.split('.').slice(0, hostLabels(record, zone)).join('.'),
    content: srv?.target ?? caa?.value ?? record.content,
    ttl: String(ttl),
    proxied,
    priority: String(srv?.priority ?? priority ?? 10),
    weight: String(srv?.weight ?? 0),
    port: srv ? String(srv.port) : '',
    flags: String(caa?.flags ?? 0),
    tag: caa?.tag ?? 'issue',
  };
}

const hostLabels = ({ name }: DnsRecord, zone: Pick<Zone, 'name'>) =>
  name.split('.').length - zone.name.split('.').length;

export function recordFormAfter(form: RecordForm, event: RecordFormEvent): RecordForm {
  switch (event.kind) {
    case 'type':
      return {
        ...form,
        type: event.type,
        content: event.type === form.type ? form.content : '',
        sent: false,
      };
    case 'text':
      return { ...form, [event.field]: event.text };
    case 'proxied':
      return { ...form, proxied: event.proxied };
    case 'sent':
      return { ...form, sent: true };
  }
}

const number16 = (text: string) =>
  /^\d{1,5}$/.test(text) && Number(text) <= recordNumberMost ? null : notNumber16;
const required = (text: string, sentence: string) => (text.trim() === '' ? sentence : null);

/** What is wrong, by field. The TTL of a proxied record is Cloudflare's. */
export function recordProblems(form: RecordForm): Partial<Record<RecordField, string>> {
  const { type } = form;
  const ttl = Number(form.ttl);
  const found: [RecordField, string | null][] = [
    ['host', required(form.host, 'Enter a name, or @ for the domain itself.')],
    ['content', required(form.content, contentMissing[type])],
    ['ttl', (isProxiableType(type) && form.proxied) || isTtl(ttl) ? null : messages.ttlOutOfRange],
  ];
  if (type === 'MX' || type === 'SRV') found.push(['priority', number16(form.priority)]);
  if (type === 'SRV') found.push(['weight', number16(form.weight)], ['port', number16(form.port)]);
  if (type === 'CAA')
    found.push([
      'flags',
      /^\d{1,3}$/.test(form.flags) && Number(form.flags) <= 255 ? null : 'Enter a number from 0 to 255.',
    ]);
  return Object.fromEntries(found.filter(([, problem]) => problem !== null));
}

const contentMissing: Record<EditableType, string> = {
  A: 'Choose a server, or enter an IPv4 address.',
  AAAA: 'Enter an IPv6 address such as 2001:db8::24.',
  CNAME: 'Enter a host name such as www.example.com.',
  TXT: 'Enter a text.',
  MX: 'Enter the host name of a mail server.',
  CAA: 'Enter a value such as letsencrypt.org.',
  SRV: 'Enter the host name of a server.',
};

/** The record to send. Call this after `recordProblems` found nothing. */
export function recordInputOf(form: RecordForm): RecordInput {
  const { type, proxied } = form;
  const ttl = isProxiableType(type) && proxied ? recordTtl.automatic : Number(form.ttl);
  const every = { host: form.host.trim(), ttl };
  const content = form.content.trim();
  switch (type) {
    case 'A':
    case 'AAAA':
    case 'CNAME':
      return { type, ...every, content, proxied };
    case 'TXT':
      return { type, ...every, content: form.content };
    case 'MX':
      return { type, ...every, content, priority: Number(form.priority) };
    case 'CAA':
      return {
        type,
        ...every,
        flags: Number(form.flags),
        tag: caaTags.find((each) => each === form.tag) ?? 'issue',
        value: content,
      };
    case 'SRV':
      return {
        type,
        ...every,
        priority: Number(form.priority),
        weight: Number(form.weight),
        port: Number(form.port),
        target: content,
      };
  }
}

/**
 * The records that stand at the name of a new record already, of which its person has to decide: those that cannot stand beside it,
 * and those of the same type.
 */
export function standingAt(form: RecordForm, zone: Zone, records: readonly DnsRecord[]): DnsRecord[] {
  const host = form.host.trim().toLowerCase();
  const whole = host === '@' || host === zone.shownName ? zone.shownName : `${host}.${zone.shownName}`;
  const here = records.filter(
    ({ name, shownName }) => name === host || shownName === host || shownName === whole || name === whole,
  );
  return here.filter(({ type }) => type === form.type || clash(type, form.type));
}

/** A CNAME and an address cannot have the same name. */
export const clash = (one: string, other: string) =>
  one !== other && (one === 'CNAME' || other === 'CNAME') && isProxiableType(one) && isProxiableType(other);
