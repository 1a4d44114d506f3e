import type { Server } from '@homeport/contract/servers/schema';
import { useAct } from '../data/use-api.ts';
import { ProblemBanner } from '../page-frame/ProblemBanner.tsx';
import { Button } from '../ui/button/Button.tsx';
import { CodeLine } from '../ui/button/CodeLine.tsx';
import { classNames } from '../ui/class-names.ts';
import { Dialog } from '../ui/dialog/Dialog.tsx';
import layout from '../ui/layout/layout.module.css';
import typography from '../ui/text/typography.module.css';

export interface InstallLineDialogProps {
  server: Pick<Server, 'id' | 'name'>;
  onClose: () => void;
}

/** Makes the line that installs the agent of a read-only server, and shows the line once. */
export function InstallLineDialog({ server, onClose }: InstallLineDialogProps) {
  const make = useAct('POST /api/servers/:id/agent-line');
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Install the agent on ${server.name}`}
      description={
        make.data
          ? 'Copy the line now. It holds the agent’s token, of which the console keeps only the hash.'
          : 'Homeport makes one line, which you paste into a shell on the machine.'
      }
      footer={
        make.data ? (
          <Button className={layout.atEnd} variant="primary" onClick={onClose}>
            I have copied it
          </Button>
        ) : (
          <>
            <Button className={layout.atEnd} onClick={onClose}>
              Later
            </Button>
            <Button
              variant="primary"
              busy={make.isPending}
              busyLabel="Making"
              onClick={() => make.mutate({ params: { id: server.id } })}
            >
              Make the line
            </Button>
          </>
        )
      }
    >
      <div className={classNames(layout.stack, typography.small)}>
        {make.error && (
          <ProblemBanner error={make.error}>No line was made. An earlier one works on.</ProblemBanner>
        )}
        {make.data ? (
          <>
            <CodeLine text={make.data.line} what="install line" wrap />
            <p>
              The line needs bash, curl and sudo; as root, leave out the word sudo. It makes the account
              homeport, which may do nothing but report. The first report arrives within some minutes.
            </p>
            <p className={typography.muted}>
              No other account of the machine sees the token while the line runs. Your shell may keep the line
              in its history.
            </p>
          </>
        ) : (
          <p>
            The line installs the monitoring agent and nothing else. A new line brings a new token: an agent
            that an earlier line installed reports again only after the new line ran.
          </p>
        )}
      </div>
    </Dialog>
  );
}
