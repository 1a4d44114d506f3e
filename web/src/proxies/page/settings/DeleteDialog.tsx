import { messages } from '@homeport/contract/messages';
import { proxyDeletion } from '@homeport/contract/proxies/facts';
import type { ProxyRecord } from '@homeport/contract/proxies/schema';
import { useNavigate } from '@tanstack/react-router';
import { orSentence } from '../../../data/problem-text.ts';
import { useAct } from '../../../data/use-api.ts';
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog.tsx';
import { toast } from '../../../ui/feedback/toasts.ts';
import typography from '../../../ui/text/typography.module.css';

export function DeleteDialog({ proxy, onClose }: { proxy: ProxyRecord; onClose: () => void }) {
  const navigate = useNavigate();
  const { id, name, domain } = proxy;
  const remove = useAct('POST /api/proxies/:id/delete', {
    onDone: () => {
      toast.ok(messages.proxyDeleted, { detail: name, page: '/proxies' });
      void navigate({ to: '/proxies' });
    },
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete ${name}?`}
      description={`${domain} goes dark: its visitors will see nothing. The rules and saved URLs are deleted. This cannot be undone.`}
      action="Delete proxy"
      busyLabel="Deleting"
      typed={proxyDeletion.word}
      onConfirm={() =>
        orSentence(remove.mutateAsync({ params: { id }, body: { confirmation: proxyDeletion.word } }))
      }
    >
      <p className={typography.small}>
        Remove the DNS record of {domain} too. While it leads here, the name stays locked for others for 30
        days at most.
      </p>
    </ConfirmDialog>
  );
}
