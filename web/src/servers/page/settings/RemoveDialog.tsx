import type { App } from '@homeport/contract/apps/schema';
import { closedTexts } from '@homeport/contract/servers/closed';
import { pluginRemoval } from '@homeport/contract/servers/facts';
import type { Server } from '@homeport/contract/servers/schema';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../../data/call.ts';
import { renewTopic } from '../../../data/live/renew-topic.ts';
import { problemText } from '../../../data/problem-text.ts';
import { useApi } from '../../../data/use-api.ts';
import { usePointingRecords } from '../../../domains/pointing/PointingRecords.tsx';
import { openOperation } from '../../../operations/open-operation.ts';
import { classNames } from '../../../ui/class-names.ts';
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog.tsx';
import { toast } from '../../../ui/feedback/toasts.ts';
import { Checkbox } from '../../../ui/form/Choice.tsx';
import layout from '../../../ui/layout/layout.module.css';
import typography from '../../../ui/text/typography.module.css';
import { noteRemoval } from './own-removals.ts';
import { appsOnRemoval, removalTexts } from './removal-texts.ts';

const names = new Intl.ListFormat('en', { type: 'conjunction' });

export interface RemoveDialogProps {
  server: Server;
  apps: readonly App[];
  onClose: () => void;
}

/**
 * Removes the server's record and, if wanted, first cleans the machine. The page closes once the record is
 * gone.
 */
export function RemoveDialog({ server, apps, onClose }: RemoveDialogProps) {
  const client = useQueryClient();
  const canUninstall = closedTexts(server) === null;
  const [uninstall, setUninstall] = useState(canUninstall && server.agentInstalled);
  const [removePlugin, setRemovePlugin] = useState(false);
  const pluginGoes = uninstall && removePlugin;
  const removal = useApi('GET /api/servers/:id/removal', { params: { id: server.id } });

  const records = usePointingRecords('server', server.id);
  const remove = async () => {
    if (!removal.data)
      throw new Error(
        removal.error
          ? `The databases of this server could not be read: ${problemText(removal.error)}`
          : 'The databases of this server are still being read. Try again in a moment.',
      );
    try {
      const { operation } = await call('POST /api/servers/:id/remove', {
        params: { id: server.id },
        body: {
          uninstall,
          records: uninstall ? records.chosen : [],
          plugin: pluginGoes ? { confirmation: pluginRemoval.word } : null,
        },
      });
      if (!uninstall) await records.removeChosen();
      if (operation) openOperation(operation.id);
      await noteRemoval(server.id, operation).catch(() =>
        toast.warn(`This browser still remembers the host key of ${server.name}`),
      );
      await renewTopic(client, 'servers');
    } catch (error) {
      throw new Error(problemText(error));
    }
  };

  const { running, gone } = appsOnRemoval(apps);
  const texts = removal.data ? removalTexts(removal.data, pluginGoes) : null;

  return (
    <ConfirmDialog
      open
      title={`Remove ${server.name}?`}
      description="It is removed from Homeport with its stats. The machine, Dokku and what runs there stay as they are."
      action="Remove server"
      busyLabel="Removing"
      onConfirm={remove}
      onClose={onClose}
      {...(pluginGoes ? { typed: pluginRemoval.word } : {})}
    >
      <div className={layout.stack}>
        {gone !== null && <p className={typography.small}>{gone}</p>}
        {running.length > 0 && <AppsFate apps={running} uninstall={uninstall} />}
        {texts?.databases.map((text) => (
          <p key={text} className={typography.small}>
            {text}
          </p>
        ))}
        {records.offer}
        {server.credential === null && (
          <p className={typography.small}>
            The monitoring agent stays on the machine, and Homeport takes no more reports from it.
          </p>
        )}
        {canUninstall && (
          <Checkbox
            label="First uninstall the monitoring agent and the account homeport from the machine"
            checked={uninstall}
            onChange={(event) => setUninstall(event.currentTarget.checked)}
          />
        )}
        {uninstall && server.dokkuPlugin.installed !== null && (
          <div className={classNames(layout.stack, layout.gap2)}>
            <Checkbox
              label="Also remove Homeport’s Dokku plugin, and end the backups that it makes"
              checked={removePlugin}
              onChange={(event) => setRemovePlugin(event.currentTarget.checked)}
            />
            <p className={typography.small}>{texts?.plugin}</p>
          </div>
        )}
      </div>
    </ConfirmDialog>
  );
}

/** What the removal means for the server's apps. */
function AppsFate({ apps, uninstall }: { apps: readonly App[]; uninstall: boolean }) {
  return (
    <>
      <p className={typography.small}>
        {apps.length === 1 ? 'Its app goes' : `Its ${apps.length} apps go`} from Homeport with it, and{' '}
        {apps.length === 1 ? 'runs' : 'run'} on there unmanaged:{' '}
        <span className={typography.strong}>{names.format(apps.map((app) => app.name))}</span>.
      </p>
      <p className={typography.small}>
        Where {apps.length === 1 ? 'the app has a deploy key' : 'apps have deploy keys'}, these go from GitHub
        as far as it answers.{' '}
        {uninstall
          ? 'Their private halves go from the machine, too.'
          : 'Their private halves stay on the machine, in /home/dokku/.ssh/homeport.'}
      </p>
      <p className={typography.small}>
        Where pushes to GitHub deploy {apps.length === 1 ? 'the app' : 'an app'}, they go on to do so without
        Homeport: their key stays on the machine. To end that, undo the continuous deployment on the app’s
        page first.
      </p>
      <p className={typography.small}>
        {apps.length === 1 ? 'Its checks' : 'Their checks'} from outside end, and nobody is notified when{' '}
        {apps.length === 1 ? 'it is' : 'one is'} down.
      </p>
    </>
  );
}
