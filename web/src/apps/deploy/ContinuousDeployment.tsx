import type { DeployInstructions } from '@homeport/contract/apps';
import type { Server } from '@homeport/contract/servers';
import { CodeLine, CopyButton } from '../ui/CodeLine.tsx';
import { deployWorkflow, keyscanCommand } from './deploy-workflow.ts';

export interface ContinuousDeploymentProps {
  instructions: DeployInstructions;
  /** Absent while the list of servers is not there. */
  server: Server | undefined;
  /** The repository's default branch. */
  branch: string;
}

/** Every push to a repository on GitHub deploys: two secrets and one file. */
export function ContinuousDeployment({ instructions, server, branch }: ContinuousDeploymentProps) {
  const workflow = deployWorkflow({ remoteUrl: instructions.remoteUrl, branch });
  return (
    <ol className="stack">
      <li className="stack g2">
        <span className="sm">
          In the repository’s settings, under Secrets, add <code>SSH_PRIVATE_KEY</code>: the private part of a
          key that may push to this app.
        </span>
      </li>
      {server && (
        <li className="stack g2">
          <span className="sm">
            Add <code>SSH_HOST_KEY</code>: what this command prints. Without it the workflow believes whatever
            answers at the address.
            {server.hostKeyFingerprint && (
              <>
                {' '}
                Of the lines, one has the fingerprint{' '}
                <span className="mono">{server.hostKeyFingerprint}</span>.
              </>
            )}
          </span>
          <CodeLine text={keyscanCommand(server.git)} what="command" wrap />
        </li>
      )}
      <li className="stack g2">
        <span className="row between sm">
          <span>
            Commit this file as <code>.github/workflows/deploy.yml</code>. It deploys each push to{' '}
            <code>{branch}</code>.
          </span>
          <span className="row">
            <CopyButton text={workflow} what="workflow" />
          </span>
        </span>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller must be reachable by keyboard */}
        <pre className="workflow" tabIndex={0}>
          {workflow}
        </pre>
      </li>
    </ol>
  );
}
