import { Suspense, useRef } from 'react';
import { problemText } from '../data/problem-text.ts';
import { useApi } from '../data/use-api.ts';
import { useTitleFocus } from '../page-frame/Page.tsx';
import { usePageTitle } from '../page-frame/use-page-title.ts';
import { type FleetLine, useFleet } from '../servers/use-fleet.ts';
import { Empty, Failed, SkeletonRows } from '../ui/feedback/States.tsx';
import layout from '../ui/layout/layout.module.css';
import { Panel } from '../ui/layout/Panel.tsx';
import { useMedia } from '../ui/use-media.ts';
import { Attention } from './Attention.tsx';
import { FirstRun } from './FirstRun.tsx';
import { firstSteps } from './first-run.ts';
import { Hello } from './Hello.tsx';
import { Shortcuts } from './Shortcuts.tsx';
import { AppsSummary, ServersSummary, serversBesideApps } from './summaries.ts';
import { useWelcome } from './use-welcome.ts';

const listToCome = (title: string) => (
  <Panel title={title} body="flush" busy>
    <SkeletonRows />
  </Panel>
);
/** A phone shows each server as a card: the rest is on the servers' page. */
const serversOnPhone = 3;
/** So that what stands below is not pushed out of reach. */
const serversAtMost = 20;

/** All servers, or as many as there is room for: those that report nothing before those that do. */
function shownOf(lines: readonly FleetLine[], most: number): readonly FleetLine[] {
  if (lines.length <= most) return lines;
  const isOnline = ({ status }: FleetLine) => status === 'online';
  return [...lines.filter((line) => !isOnline(line)), ...lines.filter(isOnline)].slice(0, most);
}

export function HomePage() {
  const box = useRef<HTMLDivElement>(null);
  usePageTitle('Home');
  useTitleFocus(box);
  const { servers, dumps, lines, now } = useFleet();
  const apps = useApi('GET /api/apps');
  const keys = useApi('GET /api/keys');
  useWelcome(keys.data?.length === 0);

  const isStacked = useMedia('(max-width: 68rem)');
  const isPhone = useMedia('(max-width: 47.99rem)');
  const attention = <Attention lines={lines} dumps={dumps} now={now} />;
  const first = lines ? firstSteps(lines, apps.data) : null;
  return (
    <div ref={box}>
      <Hello
        first={first !== null}
        lines={lines}
        apps={apps.data}
        statsFailed={dumps.isError && !dumps.data}
        now={now}
      >
        {first && <FirstRun hasKey={(keys.data?.length ?? 0) > 0} sandbox={first.sandbox} />}
      </Hello>
      {servers.isError && !lines ? (
        <Panel>
          <Failed title="Your servers could not be loaded" onRetry={() => servers.refetch()}>
            {problemText(servers.error)}
          </Failed>
        </Panel>
      ) : (
        <div className={layout.withAside}>
          {isStacked && attention}
          {!lines ? (
            listToCome('Servers')
          ) : lines.length > serversBesideApps ? (
            <Suspense fallback={listToCome('Servers')}>
              <ServersSummary
                lines={shownOf(lines, isPhone ? serversOnPhone : serversAtMost)}
                all={lines.length}
                apps={apps.data}
                dumps={dumps}
                now={now}
              />
            </Suspense>
          ) : lines.length > 0 ? (
            <Suspense fallback={listToCome('Apps')}>
              <AppsSummary apps={apps} />
            </Suspense>
          ) : (
            <Panel body="flush">
              <Empty title="No servers yet">
                Once a server is linked, its load, RAM, disk and network appear here.
              </Empty>
            </Panel>
          )}
          {!isStacked && attention}
        </div>
      )}
      <Shortcuts lines={lines} apps={apps.data} />
    </div>
  );
}
