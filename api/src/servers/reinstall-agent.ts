import { messages } from '@homeport/contract/messages';
import { z } from 'zod';
import { ProblemError } from '../http/problem.ts';
import { type AnyOperationDefinition, defineOperation } from '../operations/definition.ts';
import { findServer } from '../records/server-record.ts';
import { inspectLogin, readLogin } from './install/inspect-login.ts';
import { type AgentDeps, installAgent } from './install/install-agent.ts';
import { recordServerFacts } from './server-changes.ts';

const input = z.object({ serverId: z.uuid() });

/** Installs the monitoring agent again, with a new token. */
export function reinstallAgent(deps: AgentDeps): AnyOperationDefinition {
  return defineOperation<z.output<typeof input>>({
    kind: 'server.reinstall-agent',
    input,
    title: () => 'Agent installation',
    steps: () => [
      {
        key: 'verify',
        title: messages.verifying,
        percent: 10,
        run: async (context) => {
          const login = readLogin(
            await context.run('root', inspectLogin(), { shown: 'id -u; sudo -n true' }),
          );
          await context.remember({ sandboxRoot: login.sandbox?.root ?? null });
          await recordServerFacts(deps.db, context.owner, context.input.serverId, { login: login.kind });
          return undefined;
        },
      },
      {
        key: 'agent',
        title: messages.installingMonitoring,
        percent: 40,
        run: async (context) => {
          const server = await findServer({ owner: context.owner, db: deps.db }, context.input.serverId);
          if (!server.monitor_id) throw new ProblemError('conflict', messages.noMonitorId);
          await installAgent(deps, context, server);
          return undefined;
        },
      },
    ],
    onFailure: (context, step) =>
      step.key === 'agent' ? context.toast('bad', messages.monitoringFailed) : Promise.resolve(),
  });
}
