import type { App } from '@homeport/contract/apps/schema';
import { problemText } from '../../../data/problem-text.ts';
import { useAct } from '../../../data/use-api.ts';
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog.tsx';
import { toast } from '../../../ui/feedback/toasts.ts';

export interface StopWatchingDialogProps {
  app: App;
  domain: string;
  onClose: () => void;
}

export function StopWatchingDialog({ app, domain, onClose }: StopWatchingDialogProps) {
  const remove = useAct('DELETE /api/apps/:id/uptime', {
    onDone: () => toast.ok(`${domain} is no longer watched`),
  });
  const confirm = async () => {
    await remove.mutateAsync({ params: { id: app.id } }).catch((error: unknown) => {
      throw new Error(problemText(error));
    });
  };
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Stop watching ${domain}?`}
      description="After that, nobody notices when the domain stops answering. Its request times and incidents are deleted."
      action="Stop watching"
      busyLabel="Stopping"
      onConfirm={confirm}
    />
  );
}
