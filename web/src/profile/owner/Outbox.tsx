import { problemText } from '../../data/api-problem.ts';
import { useApi } from '../../data/use-api.ts';
import { Failed, NothingYet, SkeletonRows } from '../../ui/feedback/States.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import settingsListStyles from '../../ui/layout/settings-list.module.css';
import { formatDateTime } from '../../ui/text/format.ts';
import typography from '../../ui/text/typography.module.css';
import styles from './Outbox.module.css';

/** Messages that were not sent because no mail server is configured. Shown to the console's owner. */
export function Outbox() {
  const mail = useApi('GET /api/outbox');
  return (
    <Panel
      id="outbox"
      title="Outbox"
      body="flush"
      footer="This console has no mail server, so verification and reset messages are kept here. Only you can see them."
    >
      {mail.isPending && <SkeletonRows />}
      {mail.isError && (
        <Failed title="The messages could not be loaded" onRetry={() => mail.refetch()}>
          {problemText(mail.error)}
        </Failed>
      )}
      {mail.data?.length === 0 && <NothingYet>No messages yet.</NothingYet>}
      <ul className={settingsListStyles.settings}>
        {mail.data?.map((message) => (
          <li key={message.id}>
            <details>
              <summary>
                <span className={typography.strong}>{message.subject}</span>{' '}
                <span className={typography.subtle}>
                  to {message.to}, {formatDateTime(message.at)}
                </span>
              </summary>
              <pre className={styles.mail}>{message.text}</pre>
            </details>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
