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
            Dokku builds the branch <code>{branch}</code>. A push to another is kept and not deployed. This
            command on the server chooses another; then push to that one.
          </span>
          <CodeLine text={branchCommand} what="command" wrap />
        </div>
      )}
    </div>
  );
}
