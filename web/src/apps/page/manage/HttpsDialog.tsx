import type { App } from '@homeport/contract/apps/schema';
import type { HttpsCheck } from '@homeport/contract/apps/settings-schema';
import { emailSchema } from '@homeport/contract/fields/schema';
import { useEffect } from 'react';
import { problemText } from '../../../data/problem-text.ts';
import { useSession } from '../../../data/session.ts';
import { useAct } from '../../../data/use-api.ts';
import { openOperation } from '../../../operations/open-operation.ts';
import { classNames } from '../../../ui/class-names.ts';
import { Failed, SkeletonRows } from '../../../ui/feedback/States.tsx';
import layout from '../../../ui/layout/layout.module.css';
import { Icon } from '../../../ui/picture/Icon.tsx';
import typography from '../../../ui/text/typography.module.css';
import { certificateMailHelp } from '../../certificate-mail.ts';
import styles from './HttpsDialog.module.css';
import { OneFieldDialog } from './OneFieldDialog.tsx';

/**
 * Requests a certificate for all domains of an app. The certificate authority limits requests, so the dialog
 * first checks what would make one fail.
 */
export function HttpsDialog({ app, onClose }: { app: App; onClose: () => void }) {
  const session = useSession();
  const checks = useAct('POST /api/apps/:id/https/checks');
  const enable = useAct('POST /api/apps/:id/https', {
    onDone: (operation) => {
      onClose();
      openOperation(operation.id);
    },
  });
  const { mutate: check } = checks;
  useEffect(() => check({ params: { id: app.id } }), [check, app.id]);
  const port = app.url === null || app.https ? null : new URL(app.url).port || null;
  const willFail = checks.data?.some(({ ok }) => !ok) ?? false;
  return (
    <OneFieldDialog
      title={app.https ? 'Enable HTTPS again' : 'Enable HTTPS'}
      description="Let’s Encrypt issues one certificate for all domains of the app and asks each of them."
      field={{
        label: 'E-mail for the certificate authority',
        type: 'email',
        autoComplete: 'email',
        help: certificateMailHelp,
      }}
      name="email"
      schema={emailSchema}
      initial={session?.user.email ?? ''}
      action={willFail ? 'Enable HTTPS anyway' : 'Enable HTTPS'}
      busyLabel="Enabling"
      act={enable}
      onSubmit={(email) => enable.mutate({ params: { id: app.id }, body: { email } })}
      onClose={onClose}
    >
      <section
        className={classNames(layout.stack, layout.gap2)}
        aria-label="Checks"
        aria-busy={checks.isPending || undefined}
      >
        {checks.data ? (
          <Checks checks={checks.data} />
        ) : checks.error ? (
          <Failed title="The domains could not be checked" onRetry={() => check({ params: { id: app.id } })}>
            {problemText(checks.error)}
          </Failed>
        ) : (
          <SkeletonRows rows={app.domains.length + 1} />
        )}
        {port !== null && (
          <p className={classNames(typography.small, typography.muted)}>
            The app answers on port {port}. With its certificate it moves to ports 80 and 443; after a refusal
            it is back on port {port}.
          </p>
        )}
        {willFail && (
          <p className={classNames(typography.small, typography.muted)}>
            The request would probably fail, and failed requests count against the authority’s limit.
          </p>
        )}
      </section>
    </OneFieldDialog>
  );
}

/** The checks by domain, as seen from the console's own network. */
function Checks({ checks }: { checks: readonly HttpsCheck[] }) {
  const domains = [...new Set(checks.map(({ domain }) => domain))];
  return domains.map((domain) => (
    <div key={domain} className={classNames(layout.stack, layout.gap2)}>
      <h3 className={classNames(typography.small, typography.strong, typography.monospace)}>{domain}</h3>
      <ul className={styles.checks}>
        {checks
          .filter((each) => each.domain === domain)
          .map(({ check, ok, text }) => (
            <li key={check} className={ok ? undefined : styles.failed}>
              <Icon name={ok ? 'success' : 'danger'} size={16} />
              <span>
                <span className={layout.visuallyHidden}>{ok ? 'Fine: ' : 'Problem: '}</span>
                {text}
              </span>
            </li>
          ))}
      </ul>
    </div>
  ));
}
