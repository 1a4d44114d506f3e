import { Link } from '@tanstack/react-router';
import { DestinationsPanel } from './DestinationsPanel.tsx';

/** Where the person's news goes. Of what it tells is chosen on the pages of servers, apps and proxies. */
export function Notifications() {
  return (
    <DestinationsPanel
      id="notifications"
      title="Notifications"
      footer={
        <span>
          The Notifications section of a server, an app or a proxy says what you are notified of.{' '}
          <Link to="/notifications">All news so far</Link>
        </span>
      }
    />
  );
}
