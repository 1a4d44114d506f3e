import { addRecord, changeRecord } from './records.ts';
import { Refused } from './refused.ts';
import { type Grant, newId, type StandInRecord, type StandInZone, tellZone } from './zones.ts';

export type Asked = {
  method: string;
  /** Below `/client/v4`. */
  path: string;
  query: URLSearchParams;
  headers: Record<string, string | undefined>;
  body: unknown;
};

export type State = { zones: Map<string, StandInZone>; grants: Grant[] };

/** The `result` of a good answer, with `result_info` for lists. Throws `Refused`. */
export function answer(state: State, asked: Asked): { result: unknown; result_info?: object } {
  const grant = grantOf(state, asked);
  const [, first, zoneId, third, recordId, sixth] = asked.path.split('/');
  if (sixth !== undefined) throw noRoute();
  if (first === 'user') return answerUser(grant, asked);
  if (first !== 'zones') throw noRoute();
  if (grant.status === 'disabled' || grant.status === 'expired') throw authentication();
  if (zoneId === undefined) return listZones(state, grant, asked.query);
  const zone = zoneOf(state, grant, zoneId);
  if (third === undefined) return { result: tellZone(zone) };
  if (third !== 'dns_records') throw noRoute();
  if (asked.method === 'GET') {
    if (grant.lacks?.dnsRead) throw authentication();
    return recordId === undefined ? listRecords(zone, asked.query) : { result: recordOf(zone, recordId) };
  }
  const held = grant.lacks?.editsOf;
  if (held === 'all' || held?.includes(zone.name)) throw authentication();
  return { result: change(zone, asked, recordId) };
}

function change(zone: StandInZone, { method, body }: Asked, recordId: string | undefined): unknown {
  const sent = fieldsOf(body);
  if (method === 'POST' && recordId === undefined) return addRecord(zone, sent);
  if (method === 'POST' && recordId === 'batch') return changeTogether(zone, sent);
  if (recordId === undefined) throw noRoute();
  const record = recordOf(zone, recordId);
  if (method === 'PATCH') return changeRecord(zone, record, sent);
  if (method !== 'DELETE') throw noRoute();
  zone.records.delete(record.id);
  return { id: record.id };
}

/** Deletes, patches, puts, posts, in this order, and nothing of it if one part is refused. */
function changeTogether(zone: StandInZone, sent: Record<string, unknown>): object {
  const before = new Map(zone.records);
  const listed = (name: string) => (Array.isArray(sent[name]) ? sent[name].map(fieldsOf) : []);
  try {
    const deletes = listed('deletes').map(({ id }) => {
      const record = recordOf(zone, String(id));
      zone.records.delete(record.id);
      return record;
    });
    const patches = listed('patches').map(({ id, ...fields }) =>
      changeRecord(zone, recordOf(zone, String(id)), fields),
    );
    return { deletes, patches, puts: null, posts: listed('posts').map((each) => addRecord(zone, each)) };
  } catch (error) {
    zone.records.clear();
    for (const [id, record] of before) zone.records.set(id, record);
    throw error;
  }
}

function grantOf({ grants }: State, { headers }: Asked): Grant {
  const key = headers['x-auth-key'];
  const bearer = headers.authorization;
  if (key !== undefined) {
    if (!/^(?:[0-9a-f]{37}|cfk_.{40,})$/.test(key))
      throw malformed(6103, 'Invalid format for X-Auth-Key header');
    const grant = grants.find(({ secret, email }) => secret === key && email === headers['x-auth-email']);
    if (!grant) throw new Refused(403, 9103, 'Unknown X-Auth-Key or X-Auth-Email');
    return grant;
  }
  if (bearer === undefined)
    throw new Refused(400, 9106, 'Missing X-Auth-Key, X-Auth-Email or Authorization headers');
  const token = /^Bearer ([A-Za-z0-9_-]{40,})$/.exec(bearer)?.[1];
  if (!token) throw malformed(6111, 'Invalid format for Authorization header');
  const grant = grants.find(({ secret, email }) => secret === token && email === undefined);
  if (!grant) throw new Refused(401, 1000, 'Invalid API Token');
  return grant;
}

function answerUser(grant: Grant, { method, path }: Asked): { result: unknown } {
  if (method !== 'GET') throw noRoute();
  if (path === '/user' && grant.email !== undefined) return { result: { id: newId(), email: grant.email } };
  if (path !== '/user/tokens/verify') throw authentication();
  if (grant.verifies === false) throw new Refused(401, 1000, 'Invalid API Token');
  const { status = 'active', expiresOn } = grant;
  return { result: { id: newId(), status, ...(expiresOn && { expires_on: expiresOn }) } };
}

function listZones({ zones }: State, grant: Grant, query: URLSearchParams) {
  if (grant.lacks?.zoneRead) {
    throw new Refused(403, 0, 'Actor requires permission com.cloudflare.api.account.zone.list to list zones');
  }
  const name = query.get('name');
  const seen = [...zones.values()]
    .filter((zone) => sees(grant, zone) && (name === null || zone.name === name))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return page(seen.map(tellZone), query, { least: 5, most: 50, usual: 20 });
}

function listRecords({ records }: StandInZone, query: URLSearchParams) {
  const name = query.get('name.exact');
  const content = query.get('content.exact');
  const type = query.get('type');
  const found = [...records.values()]
    .filter(
      (record) =>
        (name === null || record.name === name) &&
        (content === null || record.content === content) &&
        (type === null || record.type === type),
    )
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return page(found, query, { least: 1, most: 5_000_000, usual: 100 });
}

/** A page past the end is empty. */
function page(
  items: object[],
  query: URLSearchParams,
  { least, most, usual }: Record<'least' | 'most' | 'usual', number>,
) {
  const number = Number(query.get('page') ?? 1);
  const perPage = Math.min(most, Math.max(least, Number(query.get('per_page') ?? usual)));
  const result = items.slice((number - 1) * perPage, number * perPage);
  return {
    result,
    result_info: {
      page: number,
      per_page: perPage,
      count: result.length,
      total_count: items.length,
      total_pages: Math.ceil(items.length / perPage),
    },
  };
}

const sees = (grant: Grant, zone: StandInZone) => grant.zones === 'all' || grant.zones.includes(zone.name);

function zoneOf({ zones }: State, grant: Grant, id: string): StandInZone {
  const zone = zones.get(checkedId(id));
  if (!zone || !sees(grant, zone)) throw authentication();
  return zone;
}

function recordOf({ records }: StandInZone, id: string): StandInRecord {
  const record = records.get(checkedId(id));
  if (!record) throw new Refused(404, 81044, 'Record does not exist.');
  return record;
}

function checkedId(id: string): string {
  if (!/^[0-9a-f]{32}$/.test(id)) {
    throw new Refused(
      400,
      7003,
      'Could not route to the given path, perhaps your object identifier is invalid?',
    );
  }
  return id;
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};
const noRoute = () => new Refused(400, 7000, 'No route for that URI');
const authentication = () => new Refused(403, 10000, 'Authentication error');
const malformed = (code: number, message: string) =>
  new Refused(400, 6003, 'Invalid request headers', [{ code, message }]);
