import type { App } from '@homeport/contract/apps/schema';
import { useApi } from '../../../data/use-api.ts';
import { CodeFrame, CodeLine } from '../../../ui/button/CodeLine.tsx';
import { Skeleton } from '../../../ui/feedback/States.tsx';

/** The command that deploys the app, to copy. How to deploy, in the panel of the deploys, has the rest. */
export function PushLine({ app }: { app: App }) {
  const instructions = useApi('GET /api/apps/:id/deploy-instructions', { params: { id: app.id } });
  // The instructions stand in the dialog too, which says how they failed to load.
  if (instructions.isError && !instructions.data) return null;
  if (!instructions.data)
    return (
      <CodeFrame busy actions={null}>
        <Skeleton width="60%" />
      </CodeFrame>
    );
  const { remoteUrl, branch } = instructions.data;
  return <CodeLine text={`git push ${remoteUrl} ${branch}`} what="push command" />;
}
