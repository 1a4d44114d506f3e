import { databaseTypeOf } from '@homeport/contract/databases/types/database-types';
import { addressKindOf, urlHost } from '@homeport/contract/fields/server-address';
import { Banner } from '../../../ui/feedback/Banner.tsx';
import definitionsStyles from '../../../ui/layout/definitions.module.css';
import typography from '../../../ui/text/typography.module.css';
import type { DatabasePlace } from '../database-place.ts';

/** What an exposure on every address opens, before the person agrees to it. */
export function ExposeWarning({ place, hostPorts }: { place: DatabasePlace; hostPorts: readonly number[] }) {
  const { database, server } = place;
  const { title, ports, hasPassword } = databaseTypeOf(database.type);
  return (
    <>
      <dl className={definitionsStyles.list}>
        <dt>Opens</dt>
        <dd className={typography.monospace}>
          <ul>
            {hostPorts.map((port, index) => (
              <li key={port}>
                {ports[index]?.number} → {urlHost(server.ip)}:{port}
              </li>
            ))}
          </ul>
        </dd>
        <dt>Where</dt>
        <dd>
          On every interface of {server.name}, past ufw: Docker writes firewall rules of its own, so a rule
          that closes the port changes nothing.
          {addressKindOf(server.ip) !== 'ipv4' &&
            ' An IPv6 address is led by a program of Docker’s on the server instead, which is on by default: there ufw decides.'}
        </dd>
        <dt>Who</dt>
        <dd>Everybody who reaches {server.ip} over a network: the whole internet, for most servers.</dd>
        <dt>With what</dt>
        <dd>
          {hasPassword
            ? 'The password of the connection string, and nothing else. The connection is not encrypted unless the database does it.'
            : `Nothing: ${title} has no password.`}
        </dd>
      </dl>
      {!hasPassword && (
        <Banner tone="bad">
          <p>Everybody may read and write everything in {database.name}.</p>
        </Banner>
      )}
    </>
  );
}
