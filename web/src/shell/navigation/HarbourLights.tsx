import { messages } from '@homeport/contract/messages';
import type { ServerStatus } from '@homeport/contract/servers/health';
import { Link } from '@tanstack/react-router';
import { useServersWithStats } from '../../data/server-status.ts';
import { Lamp, type LampState } from '../../ui/feedback/Status.tsx';
import styles from './HarbourLights.module.css';

const lampsAtMost = 20;
const looks: Record<ServerStatus, { lamp: LampState; word: string }> = {
  online: { lamp: 'on', word: messages.online },
  offline: { lamp: 'off', word: messages.offline },
  'no-data': { lamp: 'nodata', word: messages.noData },
};

/** One lamp per server. Too many servers to tell apart become counts per status. */
export function HarbourLights() {
  const servers = useServersWithStats();
  if (!servers || servers.length === 0) return null;
  const online = servers.filter((server) => server.status === 'online').length;
  return (
    <section className={styles.lights} aria-label="Server lights">
      <h2>
        Servers{' '}
        <b>
          {online} of {servers.length} online
        </b>
      </h2>
      {servers.length > lampsAtMost ? (
        <ul className={styles.counts}>
          {(['online', 'offline', 'no-data'] as const).map((status) => (
            <li key={status}>
              <Lamp state={looks[status].lamp} />
              {servers.filter((server) => server.status === status).length} {looks[status].word}
            </li>
          ))}
        </ul>
      ) : (
        <ul>
          {servers.map(({ server, status }) => {
            const text = `${server.name}: ${looks[status].word}`;
            return (
              <li key={server.key}>
                <Link to="/server/$key" params={{ key: server.key }} aria-label={text} title={text}>
                  <Lamp state={looks[status].lamp} />
                </Link>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
