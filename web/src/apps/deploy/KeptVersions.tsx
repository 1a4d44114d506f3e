import { releaseDiskBytes, releasesKept } from '@homeport/contract/apps/releases/facts';
import type { KeptRelease, Releases } from '@homeport/contract/apps/releases/schema';
import type { Deploy } from '@homeport/contract/apps/settings-schema';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Badge } from '../../ui/feedback/Status.tsx';
import layout from '../../ui/layout/layout.module.css';
import settingsListStyles from '../../ui/layout/settings-list.module.css';
import { formatBytes } from '../../ui/text/format.ts';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';
import { closedOnApp } from '../closed-on-app.ts';
import type { AppPlace } from '../on-server/app-place.ts';
import { GoBack } from './GoBack.tsx';
import { keptWords, runningDeploy, wayTo } from './go-back.ts';
import styles from './KeptVersions.module.css';

const loadDialog = () => import('./DeleteVersionDialog.tsx');
const DeleteVersionDialog = lazy(async () => ({ default: (await loadDialog()).DeleteVersionDialog }));

interface KeptVersionsProps {
  releases: Releases;
  deploys: readonly Deploy[];
  place: AppPlace;
}

/** The versions that the server keeps, behind one line. Dokku's record of such a deploy may be gone from the history. */
export function KeptVersions({ releases, deploys, place }: KeptVersionsProps) {
  const { kept } = releases;
  const running = runningDeploy(deploys);
  return (
    <details className={styles.kept}>
      <summary>Kept on the server: {kept.length === 1 ? '1 version' : `${kept.length} versions`}</summary>
      <p className={classNames(styles.note, typography.small, typography.muted)}>
        The server keeps the last {releasesKept} versions that served, while it has{' '}
        {formatBytes(releaseDiskBytes)} of free disk for images. With less, the next deploy deletes them.
      </p>
      <ul className={classNames(settingsListStyles.settings, settingsListStyles.dense)}>
        {kept.map((release) => {
          const way = wayTo(deploys, releases, release);
          return (
            <li key={release.id}>
              <VersionText release={release} />
              <span className={layout.row}>
                {release.serving && <Badge tone="ok">Serves</Badge>}
                {way && <GoBack running={running} to={way} place={place} />}
                <DeleteVersion release={release} place={place} />
              </span>
            </li>
          );
        })}
      </ul>
    </details>
  );
}

function VersionText({ release }: { release: KeptRelease }) {
  const { title, facts } = keptWords(release);
  return (
    <span className={typography.twoLines}>
      <span className={typography.truncated} title={title}>
        {title}
      </span>
      <small>
        {release.commit && (
          <>
            <span className={typography.monospace} title={release.commit.sha}>
              {release.commit.sha.slice(0, 7)}
            </span>{' '}
          </>
        )}
        {facts.map((fact) => `${fact}, `)}
        <Time at={release.keptAt} />
        {release.bytes !== null && `, ${formatBytes(release.bytes)} with shared layers`}
      </small>
    </span>
  );
}

function DeleteVersion({ release, place: { app, server } }: { release: KeptRelease; place: AppPlace }) {
  const [asks, setAsks] = useState(false);
  const name = release.commit?.sha.slice(0, 7) ?? keptWords(release).title;
  return (
    <>
      <Button
        size="sm"
        variant="ghost"
        disabledReason={closedOnApp(app, server)}
        onPointerEnter={loadDialog}
        onFocus={loadDialog}
        onClick={() => setAsks(true)}
      >
        Delete…<span className={layout.visuallyHidden}> the kept image of {name}</span>
      </Button>
      {asks && (
        <Suspense fallback={null}>
          <DeleteVersionDialog app={app} release={release} name={name} onClose={() => setAsks(false)} />
        </Suspense>
      )}
    </>
  );
}
