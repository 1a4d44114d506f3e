import type { SecurityEvent } from '@homeport/contract/account/schema';
import type { CronTask, CronTasks } from '@homeport/contract/apps/cron/schema';
import type { App, DeployInstructions } from '@homeport/contract/apps/schema';
import type { Operation } from '@homeport/contract/operations/schema';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bodyOf } from '../../http/testing.ts';
import { deployApp } from '../../testing/deploy-app.ts';
import { gitProject } from '../../testing/git-project.ts';
import { type LinkedConsole, startLinkedConsole } from '../../testing/linked-console.ts';
import { runToEnd, succeeded } from '../../testing/page.ts';

const nightly = 'sh -c \'echo counted $((6 * 7)); echo "$DYNO"\'';
const failing = "sh -c 'echo no such table >&2; exit 3'";
const hostile = `node -e 'console.log("$(id)", "\u202eflow")' # </script><b>`;
const cron = [
  { command: nightly, schedule: '0 3 * * *' },
  { command: failing, schedule: '@daily', concurrency_policy: 'forbid' },
  { command: 'true', schedule: '5 * * * *', maintenance: true },
  { command: hostile, schedule: 'CRON_TZ=Asia/Tokyo 0 3 * * *' },
];
const files = {
  'server.js':
    'require("http").createServer((_, answer) => answer.end("ahoy")).listen(process.env.PORT); console.log("up")',
  Procfile: 'web: node server.js\n',
  'app.json': JSON.stringify({ cron }),
};

let linked: LinkedConsole;
let app: App;
beforeAll(async () => {
  linked = await startLinkedConsole();
  app = await deployApp(linked.ines, linked, files);
}, 180_000);
afterAll(() => linked?.[Symbol.asyncDispose]());

const tasks = async () => bodyOf<CronTasks>(await linked.ines.call(`GET /api/apps/${app.id}/cron`), 200);
async function task(at: number): Promise<CronTask & { id: string }> {
  const found = (await tasks()).tasks[at];
  if (!found?.id) throw new Error(`There is no task ${at}.`);
  return { ...found, id: found.id };
}
async function act(verb: 'run' | 'suspend' | 'resume', at: number) {
  const { id, command } = await task(at);
  return runToEnd(linked.ines, `POST /api/apps/${app.id}/cron/${verb}`, { task: id, command });
}

/** The commands that the work ran, as the page shows them. */
const commandsOf = async ({ id }: Operation) =>
  JSON.stringify(bodyOf(await linked.ines.call(`GET /api/operations/${id}/commands`), 200));

test('the tasks of app.json are told with the zone of the server’s clock', async () => {
  const told = await tasks();
  expect(told).toMatchObject({ more: 0, allOff: false, timeZone: expect.stringMatching(/^[A-Za-z+-]/) });
  expect(told.tasks.map(({ id: _id, ...rest }) => rest)).toEqual([
    { command: nightly, schedule: '0 3 * * *', concurrency: 'allow', suspended: false },
    { command: failing, schedule: '@daily', concurrency: 'forbid', suspended: false },
    { command: 'true', schedule: '5 * * * *', concurrency: 'allow', suspended: true },
    // What would turn the text round is a blank.
    {
      command: hostile.replace('\u202e', ' '),
      schedule: 'CRON_TZ=Asia/Tokyo 0 3 * * *',
      concurrency: 'allow',
      suspended: false,
    },
  ]);
});

test('a run shows what the task prints, and its end', async () => {
  const { operation, lines } = await act('run', 0);
  succeeded({ operation, lines });
  expect(JSON.stringify(lines)).toContain('counted 42');
  expect(await commandsOf(operation)).toContain(`cron:run ${app.longname} ${(await task(0)).id}`);
  expect(operation.steps[0]?.note).toMatch(/^Ended well after \d+ s\.$/);
  // Not the command itself: titles stand in mails.
  expect(operation.title).toBe('Run sh');
}, 60_000);

test('a run is a security event with its end, and no word of the task is in it', async () => {
  const runs = async () =>
    bodyOf<SecurityEvent[]>(await linked.ines.call('GET /api/security-events'), 200).filter(
      ({ kind }) => kind === 'task_run',
    );
  await act('run', 0);
  const where = `${app.name} on ${linked.server.name}`;
  expect((await runs())[0]?.subject).toMatch(new RegExp(`^${where}: \\d+ s, ended well$`));
  await act('run', 1);
  expect((await runs())[0]?.subject).toMatch(new RegExp(`^${where}: \\d+ s, failed$`));
  expect(JSON.stringify(await runs())).not.toContain('no such table');
}, 60_000);

test('a suspended task runs when it is asked for, and a command is run as it stands', async () => {
  succeeded(await act('run', 2));
  const { lines } = await act('run', 3);
  expect(JSON.stringify(lines)).toContain('$(id)');
}, 60_000);

test('a run that fails says so, keeps its output, and can run again', async () => {
  const { operation } = await act('run', 1);
  expect(operation).toMatchObject({
    state: 'failed',
    problem: {
      message: 'The task failed. Dokku reports no exit code of a task but 1.',
      remote: { exitCode: 1, outputTail: 'no such table' },
    },
  });
  const again = await runToEnd(linked.ines, `POST /api/operations/${operation.id}/retry`, {});
  expect(again.operation.problem?.message).toContain('The task failed');
}, 60_000);

test('a task is suspended and resumed, and the commands are told', async () => {
  const suspend = await act('suspend', 0);
  succeeded(suspend);
  expect(await commandsOf(suspend.operation)).toContain(`cron:suspend ${app.longname}`);
  expect((await tasks()).tasks.map(({ suspended }) => suspended)).toEqual([true, false, true, false]);
  expect((await act('suspend', 0)).operation.steps[0]?.note).toBe('The task is suspended already.');
  succeeded(await act('resume', 0));
  expect((await tasks()).tasks.map(({ suspended }) => suspended)).toEqual([false, false, true, false]);
}, 60_000);

test('a task that app.json keeps suspended is not resumed, and the reason is told', async () => {
  const { operation } = await act('resume', 2);
  expect(operation).toMatchObject({
    state: 'failed',
    problem: { message: expect.stringContaining('app.json itself keeps the task suspended') },
  });
}, 60_000);

test('a task that a deploy replaced is not taken for the new one', async () => {
  const { id, command } = await task(0);
  const { remoteUrl } = bodyOf<DeployInstructions>(
    await linked.ines.call(`GET /api/apps/${app.id}/deploy-instructions`),
    200,
  );
  await using project = await gitProject(
    { ...files, 'app.json': JSON.stringify({ cron: [{ command: nightly, schedule: '0 4 * * *' }] }) },
    linked.pushKey.privateKeyPem,
  );
  await project.git('push', '--force', remoteUrl, 'HEAD:main');
  for (const verb of ['run', 'suspend', 'resume'] as const) {
    const { operation } = await runToEnd(linked.ines, `POST /api/apps/${app.id}/cron/${verb}`, {
      task: id,
      command,
    });
    expect(operation.problem?.message).toContain('The server has no such task by now');
  }
  expect((await tasks()).tasks).toMatchObject([{ schedule: '0 4 * * *', suspended: false }]);
}, 120_000);

test('an id that Dokku cannot have written is refused before anything runs', async () => {
  for (const id of ['--force', 'a b', '', 'x'.repeat(4_001)]) {
    const refused = await linked.ines.call(`POST /api/apps/${app.id}/cron/run`, {
      task: id,
      command: 'date',
    });
    expect(refused.status).toBe(400);
  }
});
