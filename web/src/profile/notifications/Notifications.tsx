import type { Destination } from '@homeport/contract/destinations/schema';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useApi } from '../../data/use-api.ts';
import { NotLoaded } from '../../page-frame/NotLoaded.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { Badge } from '../../ui/feedback/Status.tsx';
import layout from '../../ui/layout/layout.module.css';
import { Panel } from '../../ui/layout/Panel.tsx';
import settingsListStyles from '../../ui/layout/settings-list.module.css';
import { onDemand } from '../../ui/on-demand.tsx';
import { useFirstRows } from '../../ui/table/use-first-rows.tsx';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';
import { kindLabels } from './kind-labels.ts';
import type { BrowserState } from './this-browser/browser-state.ts';
import { useThisBrowser } from './this-browser/use-this-browser.ts';

const AddDestinationDialog = onDemand(
  async () => (await import('./AddDestinationDialog.tsx')).AddDestinationDialog,
);
const DestinationDialog = onDemand(async () => (await import('./DestinationDialog.tsx')).DestinationDialog);

const shownFirst = 10;

type Layer = { kind: 'none' } | { kind: 'add' } | { kind: 'open'; id: string };

/** Where the person's news goes. Of what it tells is chosen on the pages of servers, apps and proxies. */
export function Notifications() {
  const destinations = useApi('GET /api/destinations');
  const browsers = useThisBrowser(destinations.data);
  const { shown, more } = useFirstRows(destinations.data ?? [], shownFirst);
  const [layer, setLayer] = useState<Layer>({ kind: 'none' });
  const close = () => setLayer({ kind: 'none' });
  const open = layer.kind === 'open' ? destinations.data?.find(({ id }) => id === layer.id) : undefined;
  return (
    <Panel
      id="notifications"
      title="Notifications"
      body="flush"
      busy={destinations.isPending}
      actions={
        <>
          {more}
          <Button
            size="sm"
            icon="plus"
            onPointerEnter={AddDestinationDialog.prepare}
            onFocus={AddDestinationDialog.prepare}
            onClick={() => setLayer({ kind: 'add' })}
          >
            Add destination
          </Button>
        </>
      }
      footer={
        <span>
          The Notifications section of a server, an app or a proxy says what you are notified of.{' '}
          <Link to="/notifications">All news so far</Link>
        </span>
      }
    >
      <NotLoaded query={destinations} title="The destinations could not be loaded" rows={1} />
      {destinations.data && (
        <ul className={settingsListStyles.settings} aria-label="Destinations of news">
          {shown.map((destination) => (
            <DestinationLine
              key={destination.id}
              destination={destination}
              browser={browsers.get(destination.id)}
              onOpen={() => setLayer({ kind: 'open', id: destination.id })}
            />
          ))}
        </ul>
      )}
      {layer.kind === 'add' && (
        <AddDestinationDialog onClose={close} onOpen={(id) => setLayer({ kind: 'open', id })} />
      )}
      {open && (
        <DestinationDialog key={open.id} destination={open} browser={browsers.get(open.id)} onClose={close} />
      )}
    </Panel>
  );
}

interface LineProps {
  destination: Destination;
  browser: BrowserState | undefined;
  onOpen: () => void;
}

function DestinationLine({ destination, browser, onOpen }: LineProps) {
  const { kind, name, shown } = destination;
  return (
    <li>
      <span className={typography.twoLines}>
        <span className={`${typography.strong} ${typography.longWords}`}>{name}</span>
        <small className={typography.longWords}>
          {kind === 'email' ? shown : `${kindLabels[kind]}, ${shown}`}.{' '}
          {browser === 'here' && 'This browser. '}
          <Latest destination={destination} />
        </small>
      </span>
      <span className={layout.row}>
        <StateBadge destination={destination} browser={browser} />
        <Button
          size="sm"
          onPointerEnter={DestinationDialog.prepare}
          onFocus={DestinationDialog.prepare}
          onClick={onOpen}
        >
          Open<span className={layout.visuallyHidden}> {name}</span>
        </Button>
      </span>
    </li>
  );
}

/** What became of the last message, or why none is sent. */
function Latest({ destination: { problem, latest } }: { destination: Destination }) {
  if (problem !== null) return problem;
  if (latest === null) return 'Nothing sent yet.';
  return (
    <>
      {latest.sent ? 'Last sent' : 'Last tried'} <Time at={latest.at} />
      {!latest.sent && `: ${latest.answer}`}
    </>
  );
}

function StateBadge({
  destination: { state, problem },
  browser,
}: Pick<LineProps, 'destination' | 'browser'>) {
  if (state === 'broken')
    return (
      <Badge tone="bad" icon="danger">
        Broken
      </Badge>
    );
  if (state === 'off') return <Badge tone="none">Off</Badge>;
  if (browser === 'lost' || browser === 'other-key') return <Badge tone="warn">Not received</Badge>;
  return problem !== null && <Badge tone="warn">Not sent</Badge>;
}
