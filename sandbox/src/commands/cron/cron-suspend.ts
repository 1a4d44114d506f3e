import type { SandboxCommand } from '../../machine/call.ts';
import { taskOf } from './cron-tasks.ts';

export const cronSuspend: SandboxCommand = {
  name: 'cron:suspend',
  since: '0.37.0',
  run: (call) => {
    const [name, id = ''] = call.words;
    const app = call.app(name);
    taskOf(call, app, id);
    call.title(`Setting maintenance.${id} to true`);
    call.state.changeApp(app.name, (next) => {
      next.cronSuspended = [...new Set([...(next.cronSuspended ?? []), id])];
    });
    call.say('Updated schedule file');
  },
};

/** Like the real Dokku, ends well for a task that app.json keeps suspended. */
export const cronResume: SandboxCommand = {
  name: 'cron:resume',
  since: '0.37.0',
  run: (call) => {
    const [name, id = ''] = call.words;
    const app = call.app(name);
    taskOf(call, app, id);
    call.title(`Unsetting maintenance.${id}`);
    call.state.changeApp(app.name, (next) => {
      next.cronSuspended = (next.cronSuspended ?? []).filter((each) => each !== id);
    });
    call.say('Updated schedule file');
  },
};
