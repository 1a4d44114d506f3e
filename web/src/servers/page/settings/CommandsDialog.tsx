import type { Server } from '@homeport/contract/servers/schema';
import { useAct } from '../../../data/use-api.ts';
import { ProblemBanner } from '../../../page-frame/ProblemBanner.tsx';
import { Button } from '../../../ui/button/Button.tsx';
import { Dialog } from '../../../ui/dialog/Dialog.tsx';
import { toast } from '../../../ui/feedback/toasts.ts';
import layout from '../../../ui/layout/layout.module.css';
import typography from '../../../ui/text/typography.module.css';

/** Asks before one-off commands are allowed in the server's apps. The console then asks for the password or a passkey. */
export function CommandsDialog({ server, onClose }: { server: Server; onClose: () => void }) {
  const allow = useAct('POST /api/servers/:id/commands/allow', {
    onDone: () => {
      toast.ok('Commands are allowed');
      onClose();
    },
  });
  return (
    <Dialog
      open
      size="slim"
      title={`Allow commands in the apps of ${server.name}?`}
      description="The pages of the apps then run commands in new containers, and open terminals."
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
            Allow commands
          </Button>
        </>
      }
    >
      {allow.error && <ProblemBanner error={allow.error} />}
      <p className={typography.small}>
        A command or a terminal reads the app’s secrets and storage and reaches its databases, often as root
        of its container. Whoever uses your sign-in and a connection can open one.
      </p>
      <p className={typography.small}>
        Each is listed in the security events of your profile, without its words and keys.
      </p>
    </Dialog>
  );
}
