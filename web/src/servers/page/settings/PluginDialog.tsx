import type { Server } from '@homeport/contract/servers/schema';
import { problemText } from '../../../data/problem-text.ts';
import { useApi } from '../../../data/use-api.ts';
import { Button } from '../../../ui/button/Button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { Failed, SkeletonRows } from '../../../ui/feedback/States.tsx';
import layout from '../../../ui/layout/layout.module.css';
import typography from '../../../ui/text/typography.module.css';
import styles from './PluginDialog.module.css';

/** The files of Homeport's own Dokku plugin, for whoever wants to know what runs there. */
export function PluginDialog({ server, onClose }: { server: Server; onClose: () => void }) {
  const plugin = useApi('GET /api/dokku-plugin');
  return (
    <Dialog
      open
      size="wide"
      title="Homeport’s Dokku plugin"
      description={plugin.data ? describe(server, plugin.data.version, plugin.data.folder) : undefined}
      onClose={onClose}
      footer={
        <Button className={layout.atEnd} onClick={onClose}>
          Close
        </Button>
      }
    >
      {plugin.data ? (
        <div className={classNames(layout.stack, layout.gap2)}>
          {plugin.data.files.map(({ path, text }) => (
            <details key={path}>
              <summary className={typography.monospace}>{path}</summary>
              <pre className={classNames(typography.monospace, styles.text)}>{text}</pre>
            </details>
          ))}
        </div>
      ) : plugin.error ? (
        <Failed title="The files could not be loaded" onRetry={() => void plugin.refetch()}>
          {problemText(plugin.error)}
        </Failed>
      ) : (
        <SkeletonRows rows={3} />
      )}
    </Dialog>
  );
}

function describe({ dokkuPlugin: { installed } }: Server, version: string, folder: string): string {
  const does = 'The user dokku runs it when the console asks. It writes nothing.';
  if (installed === version) return `Version ${version}, in ${folder}. ${does}`;
  return `Version ${version}, which would be put into ${folder}. ${does}`;
}
