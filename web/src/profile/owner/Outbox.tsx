import { useState } from 'react';
import { useApi } from '../../data/use-api.ts';
import { NotLoaded } from '../../page-frame/NotLoaded.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { NothingYet } from '../../ui/feedback/States.tsx';
import { PanelPart } from '../../ui/layout/Panel.tsx';
import settingsListStyles from '../../ui/layout/settings-list.module.css';
import { formatDateTime } from '../../ui/text/format.ts';
import typography from '../../ui/text/typography.module.css';
import styles from './Outbox.module.css';

const shownFirst = 3;

/** Messages that were not sent because no mail server is configured. Shown to the console's owner. */
export function Outbox() {
  const mail = useApi('GET /api/outbox');
  const [all, setAll] = useState(false);
  const shown = all ? mail.data : mail.data?.slice(0, shownFirst);
  const more = (mail.data?.length ?? 0) - (shown?.length ?? 0);
  return (
    <PanelPart
      id="outbox"
      title="Outbox"
      actions={
        more > 0 && (
          <Button size="sm" onClick={() => setAll(true)}>
            Show all {mail.data?.length}
          </Button>
        )
      }
      footer="This console has no mail server, so verification and reset messages are kept here. Only you can see them."
    >
      <NotLoaded query={mail} title="The messages could not be loaded" rows={3} />
      {mail.data?.length === 0 && <NothingYet>No messages yet.</NothingYet>}
      <ul className={classNames(settingsListStyles.settings, settingsListStyles.dense)}>
        {shown?.map((message) => (
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
    </PanelPart>
  );
}
