import type { DeployInstructions } from '@homeport/contract/apps';
import { CodeLine } from '../ui/CodeLine.tsx';

/** git push, as this app's server takes it: where to, with which key, and the commands. */
export function DeployCommands({ instructions }: { instructions: DeployInstructions }) {
  const { remoteUrl, keyNames, commands } = instructions;
  return (
    <div className="stack">
      <dl className="dl">
        <dt>Remote</dt>
        <dd className="mono">{remoteUrl}</dd>
        {keyNames.length > 0 && (
          <>
            <dt>{keyNames.length === 1 ? 'Key' : 'Keys'}</dt>
            <dd>{keyNames.join(', ')}</dd>
          </>
        )}
      </dl>
      <ol className="stack">
        {commands.map(({ title, command }) => (
          <li key={command} className="stack g2">
            <span className="sm">{title}</span>
            <CodeLine text={command} what="command" wrap />
          </li>
        ))}
      </ol>
    </div>
  );
}
