import { Link } from '@tanstack/react-router';
import { Panel } from '../../ui/Panel.tsx';
import type { AppPlace } from './on-server/app-place.ts';

/** What one is told of this app today, and where: nothing is promised that is not sent. */
export function NotificationsPanel({ place: { server } }: { place: AppPlace }) {
  return (
    <Panel id="notifications" title="Notifications">
      <div className="stack g3 sm">
        <dl className="dl">
          <dt>On this page</dt>
          <dd>Deploys that begin, succeed or fail, and what the console does to the app, as it happens.</dd>
          <dt>On the server’s page</dt>
          <dd>
            CPU load, RAM and disk over 80 %, and reports that stay away:{' '}
            <Link to="/server/$key" params={{ key: server.key }} hash="notifications">
              notifications of {server.name}
            </Link>
            .
          </dd>
          <dt>By e-mail</dt>
          <dd>
            <span className="subtle">Nothing. The address of this app is not checked from outside.</span>
          </dd>
        </dl>
      </div>
    </Panel>
  );
}
