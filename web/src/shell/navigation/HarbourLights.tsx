import { serverStatuses, serverStatusText } from '@homeport/contract/servers/health';
import { Link } from '@tanstack/react-router';
import { useServersWithStats } from '../../data/server-status.ts';
import { Lamp, lampOf } from '../../ui/feedback/Status.tsx';
import styles from './HarbourLights.module.css';

const lampsAtMost = 20;

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
          {serverStatuses.map((status) => (
            <li key={status}>
              <Lamp state={lampOf[status]} />
              {servers.filter((server) => server.status === status).length} {serverStatusText(status)}
            </li>
          ))}
        </ul>
      ) : (
        <ul>
          {servers.map(({ server, status }) => {
            const text = `${server.name}: ${serverStatusText(status)}`;
            return (
              <li key={server.key}>
                <Link to="/server/$key" params={{ key: server.key }} aria-label={text} title={text}>
                  <Lamp state={lampOf[status]} />
                </Link>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
