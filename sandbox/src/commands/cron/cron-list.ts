import type { SandboxCommand } from '../../machine/call.ts';
import { readFlags } from '../../machine/flags.ts';
import { idOf, isSuspended } from './cron-tasks.ts';

/** In JSON, which is the one form that the console asks for. */
export const cronList: SandboxCommand = {
  name: 'cron:list',
  run: (call) => {
    const { plain } = readFlags(call, { format: { value: true } });
    const app = call.app(plain[0]);
    const rows = (app.cron ?? []).map((task) => {
      const suspended = isSuspended(app, task);
      return {
        id: idOf(app.name, task),
        app: app.name,
        command: task.command,
        schedule: task.schedule,
        concurrency_policy: task.concurrency_policy ?? 'allow',
        ...(call.knows('0.37.0') ? { 'app-in-maintenance': false, 'task-in-maintenance': suspended } : {}),
        maintenance: suspended,
      };
    });
    call.out(JSON.stringify(rows));
  },
};
