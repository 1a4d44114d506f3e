import { randomBytes } from 'node:crypto';

export type StandInRecord = {
  id: string;
  name: string;
  type: string;
  content: string;
  ttl: number;
  proxied: boolean;
  proxiable: boolean;
  priority?: number;
  data?: Record<string, unknown>;
  comment: string | null;
  tags: string[];
  settings: Record<string, unknown>;
  meta: Record<string, unknown>;
  created_on: string;
  modified_on: string;
};

export type StandInZone = {
  id: string;
  name: string;
  status: 'initializing' | 'pending' | 'active' | 'moved';
  type: 'full' | 'partial' | 'secondary';
  paused: boolean;
  createdOn: string;
  records: Map<string, StandInRecord>;
};

/** Whom a credential lets in, and to what. Zones are named by their names. */
export type Grant = {
  /** A token, or with `email` a global key. */
  secret: string;
  email?: string;
  /** False: a token of an account, which verifies under its account only. */
  verifies?: boolean;
  status?: 'active' | 'disabled' | 'expired';
  expiresOn?: string;
  zones: string[] | 'all';
  /** Absent: everything. */
  lacks?: { zoneRead?: boolean; dnsRead?: boolean; editsOf?: string[] | 'all' };
};

export const newId = () => randomBytes(16).toString('hex');
export const timeNow = () => new Date().toISOString();

export function newZone(
  name: string,
  facts: Partial<Omit<StandInZone, 'records' | 'name'>> = {},
): StandInZone {
  return {
    id: newId(),
    name,
    status: 'active',
    type: 'full',
    paused: false,
    createdOn: '2025-02-04T09:00:00.000000Z',
    records: new Map(),
    ...facts,
  };
}

export const proxiable = (type: string) => type === 'A' || type === 'AAAA' || type === 'CNAME';

/** A zone as `GET /zones` tells it. */
export function tellZone(zone: StandInZone): object {
  const { id, name, status, type, paused, createdOn } = zone;
  return {
    id,
    name,
    status,
    type,
    paused,
    development_mode: 0,
    name_servers: ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'],
    original_name_servers: null,
    original_registrar: null,
    original_dnshost: null,
    created_on: createdOn,
    modified_on: createdOn,
    activated_on: status === 'active' ? createdOn : null,
    meta: { step: 2, custom_certificate_quota: 0, page_rule_quota: 3, phishing_detected: false },
    owner: { id: null, type: 'user', email: null },
    account: { id: 'a'.repeat(32), name: 'Northquay' },
    permissions: ['#zone:read'],
    plan: { id: '0'.repeat(32), name: 'Free Website' },
  };
}
