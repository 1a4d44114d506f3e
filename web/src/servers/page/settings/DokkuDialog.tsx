import type { Server } from '@homeport/contract/servers/schema';
import { useAct } from '../../../data/use-api.ts';
import { openOperation } from '../../../operations/open-operation.ts';
import { ProblemBanner } from '../../../page-frame/ProblemBanner.tsx';
import { Button } from '../../../ui/button/Button.tsx';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import layout from '../../../ui/layout/layout.module.css';
import typography from '../../../ui/text/typography.module.css';
import { pluginConsent } from '../../plugin-consent.ts';

/** Asks before Dokku is installed on a server that is used without it. */
export function DokkuDialog({ server, onClose }: { server: Server; onClose: () => void }) {
  const install = useAct('POST /api/servers/:id/dokku', {
    onDone: (operation) => {
      onClose();
      openOperation(operation.id);
    },
  });
  return (
    <Dialog
      open
      size="slim"
      title={`Install Dokku on ${server.name}?`}
      description="Docker, nginx and Dokku are installed, which takes some minutes. Then you create apps and databases here."
      onClose={onClose}
      footer={
        <>
          <Button className={layout.atEnd} onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="primary"
            busy={install.isPending}
            busyLabel="Starting"
            onClick={() => install.mutate({ params: { id: server.id } })}
          >
            Install Dokku
          </Button>
        </>
      }
    >
      {install.error && <ProblemBanner error={install.error} />}
      <p className={typography.small}>
        nginx takes ports 80 and 443. A program that listens there already keeps it from starting.
      </p>
      <p className={typography.small}>{pluginConsent}</p>
    </Dialog>
  );
}
