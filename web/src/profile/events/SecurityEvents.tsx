import { securityEventsKept } from '@homeport/contract/account/facts';
import { useState } from 'react';
import { useApi } from '../../data/use-api.ts';
import { NotLoaded } from '../../page-frame/NotLoaded.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { NothingYet } from '../../ui/feedback/States.tsx';
import { Badge } from '../../ui/feedback/Status.tsx';
import { PanelPart } from '../../ui/layout/Panel.tsx';
import settingsListStyles from '../../ui/layout/settings-list.module.css';
import { formatDateTime } from '../../ui/text/format.ts';
import typography from '../../ui/text/typography.module.css';
import { eventText } from './event-texts.ts';

const shownFirst = 5;

/** What happened to the account, so that its person notices what somebody else did. */
export function SecurityEvents() {
  const events = useApi('GET /api/security-events');
  const [all, setAll] = useState(false);
  const shown = all ? events.data : events.data?.slice(0, shownFirst);
  const more = (events.data?.length ?? 0) - (shown?.length ?? 0);
  return (
    <PanelPart
      id="security-events"
      title="Security events"
      busy={events.isPending}
      actions={
        more > 0 && (
          <Button size="sm" onClick={() => setAll(true)}>
            Show all {events.data?.length}
          </Button>
        )
      }
      footer={`The newest ${securityEventsKept} of each kind are kept. If one was not you, change your password.`}
    >
      <NotLoaded query={events} title="The security events could not be loaded" rows={3} />
      {events.data?.length === 0 && <NothingYet>No events yet.</NothingYet>}
      {shown && shown.length > 0 && (
        <ul
          className={classNames(settingsListStyles.settings, settingsListStyles.dense)}
          aria-label="Security events"
        >
          {shown.map((event) => (
            <li key={event.id}>
              <span className={typography.twoLines}>
                <span className={typography.strong}>{eventText(event)}</span>
                <small>
                  {formatDateTime(event.at)}, {event.device}, {event.place}
                  {event.address !== null && (
                    <>
                      ,{' '}
                      <span className={classNames(typography.monospace, typography.longWords)}>
                        {event.address}
                      </span>
                    </>
                  )}
                </small>
              </span>
              {event.kind === 'sign_in_failed' && (
                <Badge tone="warn" icon="warning">
                  Failed
                </Badge>
              )}
            </li>
          ))}
        </ul>
      )}
    </PanelPart>
  );
}
