import { Link } from '@tanstack/react-router';
import type { useApi } from '../data/use-api.ts';
import type { FleetLine } from '../servers/use-fleet.ts';
import { ButtonLink } from '../ui/ButtonLink.tsx';
import { Icon } from '../ui/Icon.tsx';
import { Panel } from '../ui/Panel.tsx';
import { NothingYet, SkeletonRows } from '../ui/States.tsx';
import { attention } from './attention.ts';

const atMost = 6;

export interface AttentionProps {
  lines: readonly FleetLine[] | undefined;
  dumps: ReturnType<typeof useApi<'GET /monitor/dumps'>>;
  now: number;
}

/** What deserves a look, most urgent first; without a server, where to get one. */
export function Attention({ lines, dumps, now }: AttentionProps) {
  if (lines?.length === 0) return <NoMachine />;
  const notices = attention(lines ?? [], now);
  const more = notices.length - atMost;
  return (
    <Panel title="Needs attention" body="flush" className="att" busy={!lines}>
      {!lines || dumps.isPending ? (
        <SkeletonRows />
      ) : dumps.isError && !dumps.data ? (
        <NothingYet>Not known: the stats could not be loaded.</NothingYet>
      ) : notices.length === 0 ? (
        <NothingYet>All clear.</NothingYet>
      ) : (
        <ul>
          {notices.slice(0, atMost).map(({ id, serverKey, band, title, detail }) => (
            <li key={id}>
              <Link to="/server/$key" params={{ key: serverKey }}>
                <Icon name={band === 'danger' ? 'danger' : 'warning'} size={18} className={band} />
                <span>
                  <b className="strong">{title}</b>
                  <br />
                  <span className="xs subtle">{detail}</span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {more > 0 && (
        <p className="panel-f">
          <Link to="/servers">{more} more on the servers’ page</Link>
        </p>
      )}
    </Panel>
  );
}

function NoMachine() {
  return (
    <Panel title="No machine at hand?" line={false}>
      <div className="stack g3">
        <p className="sm muted">
          Two cloud providers give new accounts free credits worth up to $100 each ($200 total).
        </p>
        <div>
          <ButtonLink to="/promos" icon="credits">
            See the free credits
          </ButtonLink>
        </div>
      </div>
    </Panel>
  );
}
