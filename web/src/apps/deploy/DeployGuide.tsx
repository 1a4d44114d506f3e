import type { App } from '@homeport/contract/apps/schema';
import { problemText } from '../../data/problem-text.ts';
import { useApi } from '../../data/use-api.ts';
import { Failed, SkeletonRows } from '../../ui/feedback/States.tsx';
import { Tabs } from '../../ui/layout/Tabs.tsx';
import { ContinuousDeployment } from './ContinuousDeployment.tsx';
import { DeployCommands } from './DeployCommands.tsx';

/** How to deploy an app: by hand, or on every push to its repository. */
export function DeployGuide({ app }: { app: Pick<App, 'id' | 'serverId' | 'repository'> }) {
  const instructions = useApi('GET /api/apps/:id/deploy-instructions', { params: { id: app.id } });
  const servers = useApi('GET /api/servers');
  if (instructions.isPending) return <SkeletonRows />;
  if (!instructions.data) {
    return (
      <Failed title="The instructions could not be loaded" onRetry={() => instructions.refetch()}>
        {problemText(instructions.error)}
      </Failed>
    );
  }
  const server = servers.data?.find(({ id }) => id === app.serverId);
  return (
    <Tabs
      label="Ways to deploy"
      tabs={[
        {
          value: 'push',
          label: 'git push',
          content: <DeployCommands instructions={instructions.data} />,
        },
        {
          value: 'continuous',
          label: 'Continuous deployment',
          content: (
            <ContinuousDeployment
              instructions={instructions.data}
              server={server}
              branch={app.repository?.branch ?? instructions.data.branch}
            />
          ),
        },
      ]}
    />
  );
}
