import type { Releases } from '@homeport/contract/apps/releases/schema';
import type { Deploy } from '@homeport/contract/apps/settings-schema';
import type { ReactNode } from 'react';
import { WorkBadge, type WorkState } from '../../ui/feedback/WorkBadge.tsx';
import layout from '../../ui/layout/layout.module.css';
import settingsListStyles from '../../ui/layout/settings-list.module.css';
import { formatDuration } from '../../ui/text/format.ts';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';
import type { AppPlace } from '../on-server/app-place.ts';
import { deployWords } from './deploy-words.ts';
import { GoBack } from './GoBack.tsx';
import { runningDeploy, wayFrom } from './go-back.ts';
import { KeptVersions } from './KeptVersions.tsx';
import { ReleaseNotes } from './ReleaseNotes.tsx';

const looks: Record<Deploy['status'], { state: WorkState; word?: string }> = {
  running: { state: 'running', word: 'Deploying' },
  succeeded: { state: 'succeeded' },
  failed: { state: 'failed' },
  canceled: { state: 'cancelled' },
};

interface DeployRowsProps {
  deploys: readonly Deploy[];
  /** What the server keeps; null: nothing. */
  releases: Releases | null;
  /** How many of them, from the newest on. */
  shown: number;
  /** Stands below them: the button for more. */
  children: ReactNode;
  place: AppPlace;
}

/** The newest deploys, each with its way back, and the versions that the server keeps. */
export function DeployRows({ deploys, releases, shown, place, children }: DeployRowsProps) {
  const running = runningDeploy(deploys);
  return (
    <>
      {releases && <ReleaseNotes releases={releases} />}
      <ul className={settingsListStyles.settings}>
        {deploys.slice(0, shown).map((deploy) => {
          const way = place.server.simulated ? null : wayFrom(deploys, releases, deploy);
          return (
            <li key={deploy.id}>
              <DeployText deploy={deploy} />
              <span className={layout.row}>
                {way && <GoBack running={running} to={way} place={place} />}
                <WorkBadge {...looks[deploy.status]} />
              </span>
            </li>
          );
        })}
      </ul>
      {children}
      {releases && releases.kept.length > 0 && (
        <KeptVersions releases={releases} deploys={deploys} place={place} />
      )}
    </>
  );
}

/** What was deployed, and how it came. A deploy whose commit the server did not note is named after the way. */
function DeployText({ deploy }: { deploy: Deploy }) {
  const { title, facts } = deployWords(deploy);
  return (
    <span className={typography.twoLines}>
      <span className={typography.truncated} title={title}>
        {title}
      </span>
      <small>
        {deploy.commit && (
          <>
            <span className={typography.monospace} title={deploy.commit.sha}>
              {deploy.commit.sha.slice(0, 7)}
            </span>{' '}
          </>
        )}
        {facts.map((fact) => `${fact}, `)}
        <Time at={deploy.startedAt} />
        {deploy.finishedAt !== null && `, took ${tookText(deploy.finishedAt - deploy.startedAt)}`}
      </small>
    </span>
  );
}

const tookText = (ms: number) => (ms < 1_000 ? 'under 1 s' : formatDuration(ms));
