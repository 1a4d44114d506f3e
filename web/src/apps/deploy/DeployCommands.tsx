import type { DeployInstructions } from '@homeport/contract/apps/schema';
import { CodeLine } from '../../ui/button/CodeLine.tsx';
import { classNames } from '../../ui/class-names.ts';
import definitionsStyles from '../../ui/layout/definitions.module.css';
import layout from '../../ui/layout/layout.module.css';
import typography from '../../ui/text/typography.module.css';

/** How to deploy with git push: the remote, the key and the commands for this app's server. */
export function DeployCommands({ instructions }: { instructions: DeployInstructions }) {
  const { remoteUrl, keyNames, commands, branch, branchCommand } = instructions;
  return (
    <div className={layout.stack}>
      <dl className={definitionsStyles.list}>
        <dt>Remote</dt>
        <dd className={typography.monospace}>{remoteUrl}</dd>
        {keyNames.length > 0 && (
          <>
            <dt>{keyNames.length === 1 ? 'Key' : 'Keys'}</dt>
            <dd>{keyNames.join(', ')}</dd>
          </>
        )}
      </dl>
      <ol className={layout.stack}>
        {commands.map(({ title, command }) => (
          <li key={command} className={classNames(layout.stack, layout.gap2)}>
            <span className={typography.small}>{title}</span>
            <CodeLine text={command} what="command" wrap />
          </li>
        ))}
      </ol>
      {branchCommand !== '' && (
        <div className={classNames(layout.stack, layout.gap2)}>
          <span className={typography.small}>
            Dokku builds the branch <code>{branch}</code>. Dokku keeps a push to another branch and does not
            deploy it. To choose another branch, run this command on the server, then push to that branch.
          </span>
          <CodeLine text={branchCommand} what="command" wrap />
        </div>
      )}
    </div>
  );
}
