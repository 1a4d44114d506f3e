import type { Server } from '@homeport/contract/servers/schema';
import { problemText } from '../../../data/problem-text.ts';
import { useAct, useApi } from '../../../data/use-api.ts';
import { openOperation } from '../../../operations/open-operation.ts';
import { Button } from '../../../ui/button/Button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import { toast } from '../../../ui/feedback/toasts.ts';
import layout from '../../../ui/layout/layout.module.css';
import typography from '../../../ui/text/typography.module.css';
import { pluginConsent } from '../../plugin-consent.ts';
import { useInstall } from '../../use-install.tsx';
import { setupLook } from './setup-look.ts';

/**
 * Shown until the server is set up. Says what is missing, and continues the installation where it stopped.
 */
export function SetupBanner({ server }: { server: Server }) {
  const operations = useApi('GET /api/operations', { query: { serverId: server.id } });
  const { underWay, again } = setupLook(operations.data ?? []);
  const install = useInstall();
  const retry = useAct('POST /api/operations/:id/retry', {
    onDone: ({ id }) => openOperation(id),
    onFailed: (error) => toast.bad(problemText(error)),
  });

  if (underWay)
    return (
      <Banner action={<Button onClick={() => openOperation(underWay.id)}>Show the installation</Button>}>
        <p>{server.name} is being set up.</p>
      </Banner>
    );

  const start = () => (again ? retry.mutate({ params: { id: again.id } }) : install.start(server));
  const why = again?.problem?.message;
  return (
    <Banner
      tone="warn"
      action={
        <span className={classNames(layout.row, layout.wrap)}>
          {again && <Button onClick={() => openOperation(again.id)}>Show the log</Button>}
          <Button
            variant="primary"
            icon={again ? 'refresh' : 'download'}
            busy={retry.isPending}
            busyLabel="Starting"
            disabled={operations.isPending}
            onClick={start}
          >
            {again ? 'Try again' : 'Install'}
          </Button>
        </span>
      }
    >
      <p className={typography.strong}>
        {again ? 'The installation did not finish' : 'This server is not set up yet'}
      </p>
      <p className={typography.small}>
        {why ??
          (server.metal
            ? 'The installation adds the monitoring agent and configures the server.'
            : `The installation adds the monitoring agent and Dokku. ${pluginConsent}`)}
        {again && ' A second try continues from the step that failed.'}
      </p>
      {install.dialog}
    </Banner>
  );
}
