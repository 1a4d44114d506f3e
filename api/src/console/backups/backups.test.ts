import type { SecurityEvent } from '@homeport/contract/account/schema';
import { backupsPerHour, copyAgainAfterMs, proofEveryMs } from '@homeport/contract/console/facts';
import type { BackupPlan, ConsoleBackup, ConsoleBackups } from '@homeport/contract/console/schema';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bodyOf, startTestApi, type TestApi, type TestPerson } from '../../http/testing.ts';
import { backupsInMemory } from '../../testing/backups-in-memory.ts';
import { BackupFailed } from './backup-folder.ts';
import { copyDueAgain } from './copy-away.ts';
import { openBackups } from './deps.ts';
import { begin } from './make-backup.ts';
import { nextRun } from './plan.ts';
import { makeDueBackup } from './schedule.ts';

const recipient = `age1${'q'.repeat(58)}`;
const hourMs = 60 * 60_000;

let api: TestApi;
let ada: TestPerson;
let now: number;
let folder: ReturnType<typeof backupsInMemory>;
beforeEach(async () => {
  now = Date.now();
  folder = backupsInMemory();
  api = await startTestApi({ signUps: 'open' }, { clock: () => now, backups: folder });
  ada = await api.signUp('ada');
});
afterEach(() => api[Symbol.asyncDispose]());

const deps = () =>
  openBackups({ store: api.store, folder, clock: () => now, report: (error) => expect(error).toBe(null) });
const listed = async () => bodyOf<ConsoleBackups>(await ada.call('GET /api/console/backups'), 200);
const setPlan = (plan: Partial<BackupPlan>) =>
  ada.call('PUT /api/console/backups/plan', { recipient, dailyAt: null, keep: 7, ...plan });
const beginEncrypted = () => {
  now += 1_000;
  return ada.call('POST /api/console/backups', { encrypted: true });
};
/** The newest backup, when it has ended. */
async function ended(): Promise<ConsoleBackup> {
  await expect.poll(async () => (await listed()).backups[0]?.state).not.toBe('running');
  const [newest] = (await listed()).backups;
  if (!newest) throw new Error('no backup');
  return newest;
}

describe('a backup from the page', () => {
  it('is encrypted for the key of the plan, is listed, checked and fetched, and leaves events', async () => {
    expect((await beginEncrypted()).status).toBe(409);
    expect((await setPlan({})).status).toBe(200);
    expect((await beginEncrypted()).body).toMatchObject({ startedBy: 'owner', encrypted: true });
    const made = await ended();
    expect(made).toMatchObject({ state: 'done', rows: 3, bytes: 8, isHere: true, failure: null });
    expect(folder.made).toEqual([{ file: made.file, recipient, prove: true }]);
    expect(made.file).toMatch(/^homeport-\d{4}-\d\d-\d\d-\d{4}-[0-9a-f]{6}\.age$/);
    const checked = await ada.call(`POST /api/console/backups/${made.id}/check`);
    expect(checked.body).toMatchObject({ isIntact: true, checkedAt: now });
    bodyOf(await ada.call(`POST /api/console/backups/${made.id}/fetch`), 200);
    const file = await ada.open(`GET /api/console/backups/${made.id}/file`);
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="${made.file}"`);
    expect(await file.text()).toBe('a backup');
    const events = bodyOf<SecurityEvent[]>(await ada.call('GET /api/security-events'), 200);
    expect(events.slice(0, 3).map(({ kind, subject }) => [kind, subject])).toEqual([
      ['console_backup_fetched', made.file],
      ['console_backup_made', 'encrypted'],
      ['console_backups_changed', 'age1qqqqqqqqqqqq…'],
    ]);
  });

  it('is in clear by word only', async () => {
    expect((await ada.call('POST /api/console/backups', { encrypted: false })).status).toBe(400);
    const body = { encrypted: false, word: 'plain' };
    expect((await ada.call('POST /api/console/backups', body)).status).toBe(201);
    expect(await ended()).toMatchObject({ encrypted: false, file: expect.stringMatching(/\.tar\.gz$/) });
    expect(folder.made[0]?.recipient).toBe(null);
  });

  it('says why it failed, and the next one may begin', async () => {
    await setPlan({});
    const make = folder.make;
    folder.make = () => Promise.reject(new BackupFailed('The disk is full.'));
    await beginEncrypted();
    expect(await ended()).toMatchObject({ state: 'failed', failure: 'The disk is full.', isHere: false });
    folder.make = make;
    await beginEncrypted();
    expect(await ended()).toMatchObject({ state: 'done' });
  });

  it('is restored as a test once a week, and again with the next one while the proof did not come about', async () => {
    await setPlan({});
    const next = async (later: number) => {
      now += later;
      await (await begin(deps(), 'schedule', recipient))?.ended;
      return ended();
    };
    folder.next.proof = { state: 'skipped', note: 'The disk has no room.' };
    expect((await next(0)).proof).toEqual({ state: 'skipped', at: now, note: 'The disk has no room.' });
    folder.next.proof = { state: 'failed', note: 'It is damaged.' };
    expect(await next(hourMs)).toMatchObject({
      state: 'done',
      proof: { state: 'failed', note: 'It is damaged.' },
    });
    folder.next.proof = { state: 'proven' };
    expect((await next(hourMs)).proof).toEqual({ state: 'proven', at: now, note: null });
    expect((await next(hourMs)).proof).toBe(null);
    expect((await next(proofEveryMs)).proof).toMatchObject({ state: 'proven' });
    expect(folder.made.map(({ prove }) => prove)).toEqual([true, true, true, false, true]);
  });

  it('runs alone, and some within an hour are the most', async () => {
    await setPlan({});
    const make = folder.make;
    let goOn = () => {};
    folder.make = (...order) => new Promise((resolve) => (goOn = () => resolve(make(...order))));
    await beginEncrypted();
    expect((await beginEncrypted()).body).toMatchObject({ code: 'busy' });
    goOn();
    await ended();
    folder.make = make;
    for (let count = 1; count < backupsPerHour; count += 1) {
      expect((await beginEncrypted()).status).toBe(201);
      await ended();
    }
    expect((await beginEncrypted()).body).toMatchObject({ code: 'too_many' });
    await api.store.pool.query('update console_backups set started_at = started_at - $1', [hourMs]);
    expect((await beginEncrypted()).status).toBe(201);
    await ended();
  });

  it('whose process vanished is failed, and holds no other one up', async () => {
    await setPlan({});
    await api.store.db
      .insertInto('console_backups')
      .values({
        started_by: 'owner',
        encrypted: true,
        file: 'homeport-gone.age',
        started_at: now,
        alive_at: now,
      })
      .execute();
    expect((await beginEncrypted()).body).toMatchObject({ code: 'busy' });
    now += 61_000;
    expect((await beginEncrypted()).status).toBe(201);
    await ended();
    const [, gone] = (await listed()).backups;
    expect(gone).toMatchObject({ state: 'failed', failure: expect.stringContaining('The console ended') });
  });

  it('that changed on the disk is called so', async () => {
    await setPlan({});
    await beginEncrypted();
    const { id } = await ended();
    folder.isIntact = async () => false;
    expect((await ada.call(`POST /api/console/backups/${id}/check`)).body).toMatchObject({ isIntact: false });
  });
});

describe('copies away from the machine', () => {
  /** A remote, and what goes wrong there next. */
  function openRemote() {
    const remote = {
      ...{ target: 'box:consoles', there: [] as string[], intact: true, refuses: '' },
      async put(file: string) {
        if (remote.refuses) throw new BackupFailed(remote.refuses);
        remote.there.push(file);
      },
      isIntact: async () => remote.intact,
      async remove(file: string) {
        if (remote.refuses) throw new BackupFailed(remote.refuses);
        remote.there = remote.there.filter((each) => each !== file);
      },
    };
    folder.copies = remote;
    return remote;
  }
  /** The next copies wait until they may go on. */
  function heldOnce(remote: ReturnType<typeof openRemote>) {
    const { put } = remote;
    let goOn = () => {};
    const until = new Promise<void>((resolve) => (goOn = resolve));
    remote.put = async (file) => {
      await until;
      await put(file);
    };
    return { goOn };
  }
  const makeOne = async () => {
    now += 1_000;
    await (await begin(deps(), 'schedule', recipient))?.ended;
    return ended();
  };

  it('are made of encrypted backups, and of none in clear', async () => {
    const remote = openRemote();
    await setPlan({});
    const { file, copy } = await makeOne();
    expect(remote.there).toEqual([file]);
    expect(copy).toEqual({
      ...{ state: 'copied', to: 'box:consoles', at: now, note: null },
      ...{ tries: 0, againAt: null },
    });
    expect((await listed()).copiedTo).toBe('box:consoles');
    now += 1_000;
    await (await begin(deps(), 'owner', null))?.ended;
    expect(await ended()).toMatchObject({ state: 'done', encrypted: false, copy: null });
    expect(remote.there).toEqual([file]);
  });

  it('that fail leave the backup whole and say why', async () => {
    const remote = openRemote();
    remote.refuses = 'rclone ended with 1: no such bucket';
    expect(await makeOne()).toMatchObject({
      state: 'done',
      copy: { state: 'failed', note: 'rclone ended with 1: no such bucket' },
    });
  });

  it('that fail are tried again, later each time, until they are given up', async () => {
    const remote = openRemote();
    await setPlan({});
    remote.refuses = 'no answer';
    await makeOne();
    const tryAgain = async () => {
      const one = deps();
      await copyDueAgain(one);
      await Promise.all(one.running);
      return (await listed()).backups[0]?.copy;
    };
    for (const [at, wait] of copyAgainAfterMs.entries()) {
      const copy = (await listed()).backups[0]?.copy;
      expect(copy).toMatchObject({ state: 'failed', tries: at + 1, againAt: now + wait });
      now += wait - 1;
      expect(await tryAgain()).toEqual(copy);
      now += 1;
      expect(await tryAgain()).toMatchObject({ state: 'failed', tries: at + 2, note: 'no answer' });
    }
    now += 30 * 24 * hourMs;
    remote.refuses = '';
    expect(await tryAgain()).toMatchObject({ state: 'failed', againAt: null });
  });

  it('that are due again are made one at a time over all processes, the newest first', async () => {
    const remote = openRemote();
    await setPlan({});
    remote.refuses = 'no answer';
    const older = await makeOne();
    const newer = await makeOne();
    remote.refuses = '';
    now += copyAgainAfterMs[0] ?? 0;
    const all = [deps(), deps(), deps()];
    const held = heldOnce(remote);
    await Promise.all(all.map(copyDueAgain));
    await copyDueAgain(deps());
    held.goOn();
    await Promise.all(all.flatMap(({ running }) => [...running]));
    expect(remote.there).toEqual([newer.file]);
    expect((await listed()).backups[0]?.copy).toMatchObject({ state: 'copied', note: null, againAt: null });
    const last = deps();
    await copyDueAgain(last);
    await Promise.all(last.running);
    expect(remote.there).toEqual([newer.file, older.file]);
  });

  it('are not tried again from another machine, at another remote, or before a restored console is confirmed', async () => {
    const remote = openRemote();
    await setPlan({});
    remote.refuses = 'no answer';
    const { file } = await makeOne();
    remote.refuses = '';
    now += copyAgainAfterMs[0] ?? 0;
    const tryAgain = async () => {
      const one = deps();
      await copyDueAgain(one);
      await Promise.all(one.running);
      return remote.there;
    };
    const has = folder.has;
    folder.has = async () => false;
    expect(await tryAgain()).toEqual([]);
    folder.has = has;
    remote.target = 'other:consoles';
    expect(await tryAgain()).toEqual([]);
    expect((await listed()).backups[0]?.copy?.againAt).toBe(null);
    remote.target = 'box:consoles';
    await api.store.pool.query('insert into restorations (backup_at, restored_at) values (0, 0)');
    expect(await tryAgain()).toEqual([]);
    await api.store.pool.query('update restorations set confirmed_at = 1');
    expect(await tryAgain()).toEqual([file]);
  });

  it('go with their backups, and wait for that while the remote does not answer', async () => {
    const remote = openRemote();
    await setPlan({ keep: 1 });
    await makeOne();
    remote.refuses = 'no answer';
    await makeOne();
    expect((await listed()).backups).toHaveLength(2);
    remote.refuses = '';
    const { file } = await makeOne();
    await expect.poll(async () => (await listed()).backups.length).toBe(1);
    expect(remote.there).toEqual([file]);
  });

  it('that are still being made keep their backup until the next one', async () => {
    openRemote();
    await setPlan({ keep: 1 });
    const { id } = await makeOne();
    const { pool } = api.store;
    await pool.query("update console_backups set copy_state = 'copying' where id = $1", [id]);
    await makeOne();
    expect((await listed()).backups).toHaveLength(2);
    await pool.query("update console_backups set copy_state = 'copied' where id = $1", [id]);
    await makeOne();
    await expect.poll(async () => (await listed()).backups.length).toBe(1);
  });

  it('at an earlier remote are left alone', async () => {
    const before = openRemote();
    await setPlan({ keep: 1 });
    const { file } = await makeOne();
    const after = openRemote();
    after.target = 'other:consoles';
    await makeOne();
    await expect.poll(async () => (await listed()).backups.length).toBe(1);
    expect(before.there).toEqual([file]);
  });

  it('are read again by a check, also where the file is gone', async () => {
    const remote = openRemote();
    await setPlan({});
    const { id, file } = await makeOne();
    const check = () => ada.call(`POST /api/console/backups/${id}/check`);
    await folder.remove(file);
    expect((await check()).body).toMatchObject({ isHere: false, isIntact: true, copy: { state: 'copied' } });
    remote.intact = false;
    expect((await check()).body).toMatchObject({
      isIntact: false,
      copy: { state: 'failed', note: 'It differs from what was written.' },
    });
    expect((await check()).status).toBe(404);
  });

  it('that differ are made again from the file', async () => {
    const remote = openRemote();
    await setPlan({});
    const { id, file } = await makeOne();
    remote.intact = false;
    await ada.call(`POST /api/console/backups/${id}/check`);
    const one = deps();
    await copyDueAgain(one);
    await Promise.all(one.running);
    expect((await listed()).backups[0]?.copy?.state).toBe('copied');
    expect(remote.there).toEqual([file, file]);
  });

  it('that differ are not made again from a file that differs as well', async () => {
    const remote = openRemote();
    await setPlan({});
    const { id, file } = await makeOne();
    remote.intact = false;
    const { isIntact } = folder;
    folder.isIntact = async () => false;
    const { body } = await ada.call(`POST /api/console/backups/${id}/check`);
    folder.isIntact = isIntact;
    expect(body).toMatchObject({ isIntact: false, copy: { state: 'failed', againAt: null } });
    const one = deps();
    await copyDueAgain(one);
    await Promise.all(one.running);
    expect(remote.there).toEqual([file]);
  });

  it('of a backup that is going away are not tried again', async () => {
    const remote = openRemote();
    await setPlan({ keep: 1 });
    remote.refuses = 'no answer';
    const { id } = await makeOne();
    await makeOne();
    const older = (await listed()).backups.find((each) => each.id === id);
    expect(older?.copy).toMatchObject({ state: 'failed', againAt: null });
  });

  it('that a console left behind when it ended are failed', async () => {
    openRemote();
    await setPlan({});
    await makeOne();
    await api.store.pool.query("update console_backups set copy_state = 'copying', alive_at = $1", [now]);
    await makeDueBackup(deps());
    expect((await listed()).backups[0]?.copy?.state).toBe('copying');
    now += 61_000;
    await makeDueBackup(deps());
    expect((await listed()).backups[0]?.copy).toMatchObject({
      state: 'failed',
      note: expect.stringContaining('The console ended'),
      ...{ tries: 1, againAt: now + (copyAgainAfterMs[0] ?? 0) },
    });
  });
});

describe('the schedule', () => {
  it('makes one backup a day, over all processes, and leaves the newest', async () => {
    const dailyAt = Math.floor((now % (24 * hourMs)) / 60_000);
    expect((await setPlan({ recipient: null, dailyAt })).status).toBe(400);
    const plan = bodyOf<BackupPlan>(await setPlan({ dailyAt, keep: 2 }), 200);
    expect(plan.dueAt).toBe(nextRun(dailyAt, now));
    await makeDueBackup(deps());
    expect((await listed()).backups).toEqual([]);
    for (let day = 1; day <= 3; day += 1) {
      now = (await listed()).plan.dueAt ?? 0;
      await Promise.all([makeDueBackup(deps()), makeDueBackup(deps())]);
      expect(await ended()).toMatchObject({ state: 'done', startedBy: 'schedule' });
    }
    await expect.poll(async () => (await listed()).backups.length).toBe(2);
    const [first] = folder.made;
    expect(folder.made).toHaveLength(3);
    expect(await folder.has(first?.file ?? '')).toBe(false);
  });

  it('counts its days from when it was switched on, whatever is changed of it later', async () => {
    const since = async () =>
      (await api.store.pool.query('select daily_since as since from console_backup_plan')).rows[0].since;
    const begun = now;
    await setPlan({ dailyAt: 60 });
    now += 60_000;
    await setPlan({ dailyAt: 120, keep: 3 });
    expect(await since()).toBe(begun);
    await setPlan({ dailyAt: null });
    expect(await since()).toBe(null);
    await setPlan({ dailyAt: 60 });
    expect(await since()).toBe(now);
  });

  it('waits in a restored console for its owner', async () => {
    await setPlan({ dailyAt: 0 });
    now = (await listed()).plan.dueAt ?? 0;
    await api.store.pool.query('insert into restorations (backup_at, restored_at) values (0, 0)');
    await makeDueBackup(deps());
    expect((await listed()).backups).toEqual([]);
    await api.store.pool.query('update restorations set confirmed_at = 1');
    await makeDueBackup(deps());
    expect(await ended()).toMatchObject({ state: 'done' });
  });

  it('leaves a day out while another backup runs', async () => {
    const one = deps();
    let goOn = () => {};
    const make = folder.make;
    folder.make = (...order) => new Promise((resolve) => (goOn = () => resolve(make(...order))));
    const begun = await begin(one, 'owner', recipient);
    expect(await begin(one, 'schedule', recipient)).toBe(null);
    goOn();
    await begun?.ended;
    expect((await listed()).backups).toHaveLength(1);
  });
});
