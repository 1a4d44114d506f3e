import type { DeployInstructions } from '@homeport/contract/apps/schema';
import { deployWorkflow, keyscanCommand } from '@homeport/contract/github/workflow';
import type { Server } from '@homeport/contract/servers/schema';
import { CodeLine } from '../../ui/button/CodeLine.tsx';
import { classNames } from '../../ui/class-names.ts';
import layout from '../../ui/layout/layout.module.css';
import typography from '../../ui/text/typography.module.css';
import { WorkflowText } from './WorkflowText.tsx';

export interface ContinuousDeploymentProps {
  instructions: DeployInstructions;
  /** undefined until the list of servers is there. */
  server: Server | undefined;
  /** The repository's default branch. */
  branch: string;
}

/** Shows how every push to a GitHub repository deploys the app: two secrets and one file. */
export function ContinuousDeployment({ instructions, server, branch }: ContinuousDeploymentProps) {
  const workflow = deployWorkflow({
    longname: instructions.remoteUrl.split(/[:/]/).at(-1) ?? '',
    remoteUrl: instructions.remoteUrl,
    hostKey: null,
    branch,
    deployBranch: instructions.branch,
  });
  return (
    <ol className={layout.stack}>
      <li className={classNames(layout.stack, layout.gap2)}>
        <span className={typography.small}>
          In the repository’s settings, under Secrets, add <code>SSH_PRIVATE_KEY</code>: the private part of a
          key that may push to this app.
        </span>
      </li>
      {server && (
        <li className={classNames(layout.stack, layout.gap2)}>
          <span className={typography.small}>
            Add <code>SSH_HOST_KEY</code>: what this command prints. Without this secret the workflow trusts
            any server that answers at the address.
            {server.hostKeyFingerprint && (
              <>
                {' '}
                One of the lines has the fingerprint{' '}
                <span className={typography.monospace}>{server.hostKeyFingerprint}</span>.
              </>
            )}
          </span>
          <CodeLine text={keyscanCommand(server.git)} what="command" wrap />
        </li>
      )}
      <li className={classNames(layout.stack, layout.gap2)}>
        <span className={typography.small}>
          Commit this file as <code>.github/workflows/deploy.yml</code>. It deploys each push to{' '}
          <code>{branch}</code>.
        </span>
        <WorkflowText text={workflow} />
      </li>
    </ol>
  );
}
