import type { Server } from '@homeport/contract/servers/schema';
import { useAct } from '../../../data/use-api.ts';
import { ProblemBanner } from '../../../page-frame/ProblemBanner.tsx';
import { Button } from '../../../ui/button/Button.tsx';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { toast } from '../../../ui/feedback/toasts.ts';
import layout from '../../../ui/layout/layout.module.css';
import typography from '../../../ui/text/typography.module.css';

/** Asks before terminals are allowed on the server itself. The console then asks for the password or a passkey. */
export function ShellDialog({ server, onClose }: { server: Server; onClose: () => void }) {
  const allow = useAct('POST /api/servers/:id/shell/allow', {
    onDone: () => {
      toast.ok('Terminals on the server are allowed');
      onClose();
    },
  });
  return (
    <Dialog
      open
      size="slim"
      title={`Allow terminals on ${server.name}?`}
      description="This page then opens a shell on the server itself."
      onClose={onClose}
      footer={
        <>
          <Button className={layout.atEnd} onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="primary"
            busy={allow.isPending}
            busyLabel="Allowing"
            onClick={() => allow.mutate({ params: { id: server.id } })}
          >
            Allow terminals
          </Button>
        </>
      }
    >
      {allow.error && <ProblemBanner error={allow.error} />}
      <p className={typography.small}>
        The shell is that of {server.username}, by the management credential. It can do whatever that account
        can{server.login === 'plain' ? '' : ', which is everything on the machine'}. Whoever uses your sign-in
        and a connection can open one.
      </p>
      <p className={typography.small}>
        Each is listed in the security events of your profile, without what was typed or shown.
      </p>
    </Dialog>
  );
}
