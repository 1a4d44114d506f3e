import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  type Asker,
  changeTogether,
  createRecord,
  deleteRecord,
  mayChange,
  patchRecord,
  readRecords,
  readZones,
  tryRecords,
  verifyToken,
} from '../../cloudflare/calls.ts';
import { createCloudflare } from '../../cloudflare/client.ts';
import { kindOf } from '../../cloudflare/credential.ts';
import { createLimiter } from '../../cloudflare/limiter.ts';
import { CloudflareFailure } from '../../cloudflare/refusal.ts';
import type { ServiceCheck, ServiceChecks } from './check.ts';

type Given = { baseUrl: string; token: string; zone: string };

/** The zone, and the one name in it under which records are made, changed and deleted. */
function zoneStage(given: Given) {
  const cloudflare = createCloudflare({ baseUrl: given.baseUrl, limiter: createLimiter(Date.now) });
  const askAs = (token: string): Asker => ({
    cloudflare,
    credential: { kind: kindOf(token, null), email: null, secret: Buffer.from(token) },
  });
  const asker = askAs(given.token);
  const name = `homeport-live-${randomBytes(5).toString('hex')}.${given.zone}`;
  let found: Promise<string> | undefined;
  const zoneId = () => {
    found ??= readZones(asker).then(({ zones }) => {
      const zone = zones.find((each) => each.name === given.zone);
      if (!zone) throw new Error(`The token lists no zone ${given.zone}.`);
      return zone.id;
    });
    return found;
  };
  const named = async () => (await readRecords(asker, await zoneId(), { 'name.exact': name })).records;
  const only = async () => {
    const [record, ...others] = await named();
    if (!record || others.length > 0) throw new Error(`${others.length + 1} records are called ${name}.`);
    return record;
  };
  const text = (content: string) => ({ type: 'TXT', name, content, ttl: 60 });
  return { ...given, asker, askAs, name, zoneId, named, only, text };
}
type Stage = ReturnType<typeof zoneStage>;

/**
 * Every call of the console at Cloudflare, tried in one zone under a random name. Only records of this name are made, changed and
 * deleted.
 */
export function cloudflareChecks(given: Given): ServiceChecks {
  const stage = zoneStage(given);
  const { asker, zoneId, named } = stage;
  return {
    checks: [...credentialChecks(stage), ...recordChecks(stage)],
    cleanUp: {
      name: 'Cloudflare: nothing is left in the zone',
      run: async () => {
        for (const { id } of await named()) await deleteRecord(asker, await zoneId(), id);
        deepEqual(await named(), []);
      },
    },
  };
}

function credentialChecks({ asker, askAs, token, zoneId }: Stage): ServiceCheck[] {
  return [
    {
      name: 'Cloudflare: the token is active',
      run: async () => {
        if (kindOf(token, null) !== 'token') return;
        equal((await verifyToken(asker, Date.now())).why, 'active');
      },
    },
    { name: 'Cloudflare: the zone is listed', run: async () => void (await zoneId()) },
    {
      name: 'Cloudflare: the records of the zone may be read and changed',
      run: async () => {
        await tryRecords(asker, await zoneId());
        equal(await mayChange(asker, await zoneId()), true);
      },
    },
    {
      name: 'Cloudflare: a wrong token is refused',
      run: async () => {
        await rejects(verifyToken(askAs(`cfut_${'0'.repeat(48)}`), Date.now()), CloudflareFailure);
      },
    },
  ];
}

function recordChecks({ asker, name, text, zoneId, named, only }: Stage): ServiceCheck[] {
  return [
    {
      name: 'Cloudflare: a record is added',
      run: async () => {
        equal((await createRecord(asker, await zoneId(), text('"first"'))).name, name);
        ok((await only()).content.includes('first'));
      },
    },
    {
      name: 'Cloudflare: the same record once more is refused',
      run: async () => {
        await rejects(createRecord(asker, await zoneId(), text('"first"')), CloudflareFailure);
      },
    },
    {
      name: 'Cloudflare: PATCH changes what is sent and leaves the rest',
      run: async () => {
        const record = await only();
        await patchRecord(asker, await zoneId(), record.id, { content: '"second"' });
        const now = await only();
        ok(now.content.includes('second'));
        deepEqual([now.id, now.ttl], [record.id, record.ttl]);
      },
    },
    {
      name: 'Cloudflare: a batch deletes and adds together',
      run: async () => {
        const { id } = await only();
        const added = await changeTogether(asker, await zoneId(), {
          deletes: [id],
          posts: [text('"third"')],
        });
        equal(added.length, 1);
        ok((await only()).content.includes('third'));
      },
    },
    {
      name: 'Cloudflare: a batch with one refused part changes nothing',
      run: async () => {
        const { id } = await only();
        const bad = { type: 'A', name, content: '127.0.0.1', ttl: 1, proxied: true };
        const changes = { deletes: [id], posts: [text('"fourth"'), bad] };
        await rejects(changeTogether(asker, await zoneId(), changes), CloudflareFailure);
        equal((await only()).id, id);
      },
    },
    {
      name: 'Cloudflare: a record is deleted, and a second time without an error',
      run: async () => {
        const { id } = await only();
        await deleteRecord(asker, await zoneId(), id);
        await deleteRecord(asker, await zoneId(), id);
        deepEqual(await named(), []);
      },
    },
  ];
}
