import { messages } from '@homeport/contract/messages';
import { z } from 'zod';
import { ProblemError } from '../http/problem.ts';
import { type AnyOperationDefinition, defineOperation } from '../operations/definition.ts';
import { findServer } from '../records/server-record.ts';
import { lookAtLogin } from './install/inspect-login.ts';
import { type AgentDeps, installAgent } from './install/install-agent.ts';

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
          await lookAtLogin(deps.db, context);
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
