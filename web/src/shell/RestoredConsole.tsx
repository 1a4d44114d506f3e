import type { Session } from '@homeport/contract/identity/schema';
import { useQueryClient } from '@tanstack/react-query';
import { problemText } from '../data/problem-text.ts';
import { sessionKey } from '../data/session-key.ts';
import { useAct } from '../data/use-api.ts';
import { Button } from '../ui/button/Button.tsx';
import { Banner } from '../ui/feedback/Banner.tsx';
import { toast } from '../ui/feedback/toasts.ts';
import { formatDateTime } from '../ui/text/format.ts';

/** Until its owner confirms it, a restored console does nothing by itself. */
export function RestoredConsole({
  restored,
  owner,
}: Pick<Session, 'owner'> & { restored: { backupAt: number } }) {
  const at = formatDateTime(restored.backupAt);
  if (!owner)
    return (
      <Banner tone="warn">
        <p>
          This console was restored from a backup of {at}. Until its owner confirms it, it sends no messages,
          checks no apps and runs no schedules.
        </p>
      </Banner>
    );
  return <OwnersNotice at={at} />;
}

function OwnersNotice({ at }: { at: string }) {
  const queries = useQueryClient();
  const confirm = useAct('POST /api/console/confirm', {
    onDone: async () => {
      await queries.invalidateQueries({ queryKey: sessionKey });
      toast.ok('This is the console now');
    },
    onFailed: (error) => toast.bad(problemText(error)),
  });
  return (
    <Banner
      tone="warn"
      action={
        <Button size="sm" busy={confirm.isPending} onClick={() => confirm.mutate({})}>
          This is the console now
        </Button>
      }
    >
      <p>
        This console was restored from a backup of {at}. It sends no messages, checks no apps and runs no
        schedules, because the console that was backed up may still run. Stop that one first.
      </p>
    </Banner>
  );
}
