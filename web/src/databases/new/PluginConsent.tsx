import type { DatabasePlugins } from '@homeport/contract/databases/schema';
import { type DatabaseTypeName, databaseTypeOf } from '@homeport/contract/databases/types/database-types';
import type { Server } from '@homeport/contract/servers/schema';
import { useId } from 'react';
import { ServerRead } from '../../on-server/ServerRead.tsx';
import { useConnect } from '../../on-server/use-connect.ts';
import { CodeLine } from '../../ui/button/CodeLine.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Checkbox } from '../../ui/form/Choice.tsx';
import controlsStyles from '../../ui/form/controls.module.css';
import layout from '../../ui/layout/layout.module.css';
import { Icon } from '../../ui/picture/Icon.tsx';
import typography from '../../ui/text/typography.module.css';
import { pluginNeed } from './plugin-need.ts';
import type { PluginsOnServer } from './use-database-plugins.ts';

export interface PluginConsentProps {
  server: Server;
  type: DatabaseTypeName;
  plugins: PluginsOnServer;
  agreed: boolean;
  onAgree: (agreed: boolean) => void;
  error: string | undefined;
}

/** Says whether the server has Dokku's plugin for the type. Where it has none, asks before it is installed as root. */
export function PluginConsent({ server, type, plugins, agreed, onAgree, error }: PluginConsentProps) {
  const connect = useConnect(server, plugins.refetch);
  const errorId = useId();
  const { title } = databaseTypeOf(type);
  return (
    <section
      className={classNames(layout.stack, layout.gap2)}
      aria-label={`Plugin for ${title}`}
      aria-describedby={error ? errorId : undefined}
    >
      <ServerRead
        state={plugins}
        connect={connect}
        what={`whether ${server.name} can make ${title} databases`}
        rows={1}
      >
        {(answer) => (
          <Need
            server={server}
            type={type}
            answer={answer}
            agreed={agreed}
            onAgree={onAgree}
            wrong={!!error}
          />
        )}
      </ServerRead>
      {error && (
        <p className={controlsStyles.error} id={errorId} role="alert">
          <Icon name="danger" size={14} />
          {error}
        </p>
      )}
    </section>
  );
}

interface NeedProps extends Pick<PluginConsentProps, 'server' | 'type' | 'agreed' | 'onAgree'> {
  answer: DatabasePlugins;
  wrong: boolean;
}

function Need({ server, type, answer, agreed, onAgree, wrong }: NeedProps) {
  const { title, pluginUrl } = databaseTypeOf(type);
  const need = pluginNeed(answer, type);
  switch (need.kind) {
    case 'unknown':
      return null;
    case 'present':
      return (
        <p className={controlsStyles.valid}>
          <Icon name="success" size={14} />
          {server.name} has Dokku’s plugin for {title}, version {need.version}.
        </p>
      );
    case 'missing':
      return (
        <>
          <p className={typography.small}>
            {server.name} has no plugin for {title} yet. Dokku can fetch it from{' '}
            <span className={typography.monospace}>{pluginUrl}</span>, with the Docker images that it names.
            This takes one to five minutes and stays on the server for other databases.
          </p>
          <Checkbox
            name="installPlugin"
            checked={agreed}
            aria-invalid={wrong || undefined}
            onChange={(event) => onAgree(event.currentTarget.checked)}
            label={
              <>
                Install it as root, through the login{' '}
                <span className={typography.monospace}>{need.installer}</span>
              </>
            }
          />
        </>
      );
    case 'refused':
      return (
        <>
          <p className={typography.small}>
            {server.name} has no plugin for {title}, and none of its accounts here can become root to install
            it. Somebody with root can run this on the server:
          </p>
          <CodeLine text={`sudo dokku plugin:install ${pluginUrl}`} what="command" wrap />
        </>
      );
  }
}
