import { notificationRules } from '@homeport/contract/notifications/kinds';
import { planMessages } from '@homeport/store';
import { expect, test } from 'vitest';
import { startReceiver } from '../../testing/webhook-receiver.ts';
import { addTarget, type Owned, raise, startTold, subjectsOf, type Told } from '../testing.ts';

const minute = 60_000;
const { groupMs } = notificationRules;

const names = ({ server }: Owned) => ({ serverName: 'lantern', serverKey: server.key });
const filled = (told: Told, who: Owned) =>
  raise(told, who, 'server.disk', 'it', {
    ...{ event: 'disk.filled', ...names(who), since: told.clock.now, percent: 92 },
  });
const eased = async (told: Told, who: Owned) => {
  await raise(told, who, 'server.disk', 'it', {
    ...{ event: 'disk.eased', ...names(who), until: told.clock.now, percent: 80 },
  });
  await change(told, { ended_at: told.clock.now });
};
const down = (told: Told, who: Owned, appName: string) =>
  raise(told, who, 'app.down', appName, {
    ...{ event: 'app.went-down', appName, longname: appName, ...names(who), since: told.clock.now },
    ...{ url: 'https://app.example.com/', reason: 'It answered 502.' },
  });

type Change = { ended_at?: number; acknowledged_at?: number | null; acknowledged_by?: string | null };
const change = ({ store }: Told, to: Change) => store.db.updateTable('notice_threads').set(to).execute();
const acknowledge = (told: Told) => change(told, { acknowledged_at: told.clock.now, acknowledged_by: 'Ada' });

/** Ada has her mail, and a webhook that gets what nobody has acknowledged within five minutes. */
async function startWithSecond() {
  const told = await startTold();
  const hook = await startReceiver();
  const ada = await told.addPerson('Ada');
  const id = await addTarget(told.store, ada, { kind: 'webhook', url: hook.url });
  await told.store.db
    .updateTable('notice_destinations')
    .set({ after_minutes: 5 })
    .where('id', '=', id)
    .execute();
  const events = () => hook.received.map(({ body }) => (JSON.parse(body) as { type: string }).type);
  return {
    ...{ told, ada, events },
    /** Tells what is due so long after now. */
    pass: async (ms: number) => {
      told.clock.now += ms;
      await told.tell();
    },
    async [Symbol.asyncDispose]() {
      await hook[Symbol.asyncDispose]();
      await told[Symbol.asyncDispose]();
    },
  };
}

test('a second destination gets what goes on unacknowledged after its wait, and then its end at once', async () => {
  await using second = await startWithSecond();
  const { told, ada, events, pass } = second;
  await filled(told, ada);
  await pass(0);
  expect(subjectsOf(told.mail.mails)).toEqual(['Disk of lantern']);
  await pass(5 * minute - 1);
  expect(events()).toEqual([]);
  await pass(1);
  expect(events()).toEqual(['disk.filled']);
  await acknowledge(told);
  await eased(told, ada);
  await pass(0);
  expect(events(), 'its end goes there as before').toEqual(['disk.filled', 'disk.eased']);
  expect(subjectsOf(told.mail.mails)).toEqual(['Disk of lantern', 'Re: Disk of lantern']);
});

test('what was acknowledged, or was over, within the wait does not go there, and neither does its end', async () => {
  await using second = await startWithSecond();
  const { told, ada, events, pass } = second;
  await filled(told, ada);
  await pass(minute);
  await acknowledge(told);
  await pass(10 * minute);
  await eased(told, ada);
  await pass(10 * minute);
  await down(told, ada, 'shop');
  await pass(4 * minute);
  await change(told, { ended_at: told.clock.now });
  await pass(10 * minute);
  expect(events()).toEqual([]);
  expect(told.mail.mails).toHaveLength(3);
  const waiting = await told.store.db
    .selectFrom('notice_deliveries')
    .select('notice_id')
    .where('message_id', 'is', null)
    .execute();
  expect(waiting, 'nothing of it is left').toEqual([]);
});

test('an acknowledgement that is taken back within the wait counts as none', async () => {
  await using second = await startWithSecond();
  const { told, ada, events, pass } = second;
  await filled(told, ada);
  await acknowledge(told);
  await pass(2 * minute);
  await change(told, { acknowledged_at: null, acknowledged_by: null });
  await pass(3 * minute);
  expect(events()).toEqual(['disk.filled']);
});

test('what has no end does not go to a second destination', async () => {
  await using second = await startWithSecond();
  const { told, ada, events, pass } = second;
  await told.failWork(ada, 'Start');
  await pass(0);
  await pass(10 * minute);
  expect(told.mail.mails).toHaveLength(1);
  expect(events()).toEqual([]);
});

test('an acknowledgement that is taken back later than the wait sends what still goes on', async () => {
  await using second = await startWithSecond();
  const { told, ada, events, pass } = second;
  await filled(told, ada);
  await pass(minute);
  await acknowledge(told);
  await pass(20 * minute);
  expect(events()).toEqual([]);
  await change(told, { acknowledged_at: null, acknowledged_by: null });
  await pass(minute);
  expect(events()).toEqual(['disk.filled']);
});

test('a second destination hears at once that the first one is broken, and gets what has no end while no other takes it', async () => {
  await using hook = await startReceiver((response) => void response.writeHead(410).end());
  await using told = await startTold();
  const ada = await told.addPerson('Ada');
  await told.store.db.updateTable('notice_destinations').set({ after_minutes: 15 }).execute();
  await addTarget(told.store, ada, { kind: 'webhook', url: hook.url });
  await told.failWork(ada, 'Start');
  await told.tell();
  expect(hook.received).toHaveLength(1);
  told.clock.now += minute;
  await told.tell();
  expect(subjectsOf(told.mail.mails)).toEqual(['Destination webhook']);
  await told.failWork(ada, 'Stop');
  told.clock.now += minute;
  await told.tell();
  expect(subjectsOf(told.mail.mails).slice(1)).toEqual([`Stop: ${ada.app.longname}`]);
});

test('what is over when a wait ends is not sent', async () => {
  await using second = await startWithSecond();
  const { told, ada, events, pass } = second;
  await filled(told, ada);
  await pass(minute);
  await eased(told, ada);
  await pass(minute);
  await told.store.db.updateTable('notice_destinations').set({ after_minutes: 0 }).execute();
  await pass(10 * minute);
  expect(events()).toEqual([]);
});

test('an acknowledged warning that becomes an outage is not acknowledged', async () => {
  await using second = await startWithSecond();
  const { told, ada, events, pass } = second;
  const domain = { proxyName: 'shop', proxyId: crypto.randomUUID(), domain: 'shop.example.com' };
  const of = { since: told.clock.now, missing: 'pointing', servedUntil: told.clock.now } as const;
  await raise(told, ada, 'proxy.domain', 'it', { event: 'domain.astray', ...domain, ...of });
  await pass(minute);
  await acknowledge(told);
  await pass(10 * minute);
  expect(events()).toEqual([]);
  await raise(told, ada, 'proxy.domain', 'it', { event: 'domain.unserved', ...domain, at: told.clock.now });
  await pass(5 * minute);
  expect(events()).toEqual(['domain.unserved']);
});

test('whoever looks into a silent server looks into its apps', async () => {
  await using second = await startWithSecond();
  const { told, ada, events, pass } = second;
  await down(told, ada, 'shop');
  await raise(told, ada, 'server.offline', 'it', {
    ...{ event: 'server.went-silent', ...names(ada), since: told.clock.now },
  });
  await pass(minute);
  await told.store.db
    .updateTable('notice_threads')
    .set({ acknowledged_at: told.clock.now, acknowledged_by: 'Ada' })
    .where('kind', '=', 'server.offline')
    .execute();
  await pass(10 * minute);
  expect(events()).toEqual([]);
});

test('outages of one server are one message there as well, and what waits holds nothing back', async () => {
  await using second = await startWithSecond();
  const { told, ada, events, pass } = second;
  await down(told, ada, 'shop');
  told.clock.now += 10_000;
  await down(told, ada, 'blog');
  await pass(groupMs);
  expect(subjectsOf(told.mail.mails)).toEqual(['2 apps on lantern are down']);
  await pass(5 * minute - groupMs);
  expect(events(), 'it gathers').toEqual([]);
  await pass(groupMs);
  expect(events()).toEqual(['summary']);
  const bea = await told.addPerson('Bea');
  await told.failWork(bea, 'Start');
  await pass(minute);
  expect(told.mail.mails.at(-1)?.to).toEqual([bea.email]);
});

test('replicas that look at once when the wait is over make one message', async () => {
  await using second = await startWithSecond();
  const { told, ada, pass } = second;
  await filled(told, ada);
  await pass(0);
  told.clock.now += 5 * minute;
  await Promise.all(Array.from({ length: 4 }, () => planMessages(told.store.db, told.clock.now)));
  expect(await told.messages()).toHaveLength(2);
});
