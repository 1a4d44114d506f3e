import type { Deploy } from '@homeport/contract/apps/settings-schema';
import { WorkBadge, type WorkState } from '../../ui/feedback/WorkBadge.tsx';
import layout from '../../ui/layout/layout.module.css';
import settingsListStyles from '../../ui/layout/settings-list.module.css';
import { formatDuration } from '../../ui/text/format.ts';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';
import type { AppPlace } from '../on-server/app-place.ts';
import { deployWords } from './deploy-words.ts';
import { GoBack } from './GoBack.tsx';

const looks: Record<Deploy['status'], { state: WorkState; word?: string }> = {
  running: { state: 'running', word: 'Deploying' },
  succeeded: { state: 'succeeded' },
  failed: { state: 'failed' },
  canceled: { state: 'cancelled' },
};

interface DeployRowsProps {
  deploys: readonly Deploy[];
  /** How many of them, from the newest on. */
  shown: number;
  place: AppPlace;
}

/** The newest deploys, each with its way back. */
export function DeployRows({ deploys, shown, place }: DeployRowsProps) {
  return (
    <ul className={settingsListStyles.settings}>
      {deploys.slice(0, shown).map((deploy) => (
        <li key={deploy.id}>
          <DeployText deploy={deploy} />
          <span className={layout.row}>
            <GoBack deploys={deploys} to={deploy} place={place} />
            <WorkBadge {...looks[deploy.status]} />
          </span>
        </li>
      ))}
    </ul>
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
