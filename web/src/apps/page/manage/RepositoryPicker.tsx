import { repositoriesFreshMs } from '@homeport/contract/github/facts';
import type { Repository } from '@homeport/contract/github/schema';
import { useEffect, useRef, useState } from 'react';
import { problemText } from '../../../data/problem-text.ts';
import { useAct, useApi } from '../../../data/use-api.ts';
import { NotLoaded } from '../../../page-frame/NotLoaded.tsx';
import { Button } from '../../../ui/button/Button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { NothingYet, SkeletonRows } from '../../../ui/feedback/States.tsx';
import { Badge } from '../../../ui/feedback/Status.tsx';
import { FilterField } from '../../../ui/form/FilterField.tsx';
import layout from '../../../ui/layout/layout.module.css';
import { consoleTime } from '../../../ui/text/console-time.ts';
import { Time } from '../../../ui/text/Time.tsx';
import typography from '../../../ui/text/typography.module.css';
import { findRepositories } from './find-repositories.ts';
import styles from './RepositoryPicker.module.css';

export interface RepositoryPickerProps {
  chosen: string;
  onChoose: (repository: Repository) => void;
}

/** The person's repositories at GitHub, pushed last first. Asks GitHub when the list is older than five minutes. */
export function RepositoryPicker({ chosen, onChoose }: RepositoryPickerProps) {
  const list = useApi('GET /api/github/repositories');
  const refresh = useAct('POST /api/github/repositories/refresh');
  const [words, setWords] = useState('');
  useRefreshOnce(list.data?.readAt, () => refresh.mutate({}));
  const notLoaded = <NotLoaded query={list} title="Your repositories could not be loaded" rows={4} />;
  if (!list.data) return notLoaded;
  if (list.data.readAt === null && !refresh.isError) return <SkeletonRows rows={4} />;
  const found = findRepositories(list.data.repositories, words);
  return (
    <div className={classNames(layout.stack, layout.gap2)}>
      <div className={layout.row}>
        <FilterField of="repositories" by="name or description" words={words} onChange={setWords} />
        <Button
          size="sm"
          icon="refresh"
          busy={refresh.isPending}
          busyLabel="Reading"
          onClick={() => refresh.mutate({})}
        >
          Read again
        </Button>
      </div>
      {notLoaded}
      {refresh.isError && <p className={typography.small}>{problemText(refresh.error)}</p>}
      {found.length === 0 && (
        <NothingYet>
          {words === '' ? 'GitHub lists no repository of yours.' : 'No repository fits.'}
        </NothingYet>
      )}
      <ul className={styles.list} aria-label="Your repositories">
        {found.map((repository) => (
          <li key={repository.id}>
            <button
              type="button"
              className={styles.choice}
              aria-pressed={repository.fullName === chosen}
              onClick={() => onChoose(repository)}
            >
              <Facts repository={repository} />
            </button>
          </li>
        ))}
      </ul>
      <p className={classNames(typography.extraSmall, typography.subtle)}>
        {list.data.more && 'GitHub has more than are listed here. '}
        Is one missing?{' '}
        {list.data.accessUrl && (
          <a href={list.data.accessUrl} target="_blank" rel="noreferrer">
            Its organisation has to let Homeport in
          </a>
        )}
      </p>
    </div>
  );
}

function Facts({ repository }: { repository: Repository }) {
  const { fullName, description, language, defaultBranch, pushedAt } = repository;
  return (
    <>
      <span className={layout.row}>
        <span className={typography.monospace}>{fullName}</span>
        {repository.private && <Badge>Private</Badge>}
        {repository.archived && <Badge>Archived</Badge>}
      </span>
      {description !== null && <span className={typography.small}>{description}</span>}
      <span className={classNames(typography.extraSmall, typography.subtle)}>
        {language !== null && `${language}, `}branch {defaultBranch}
        {pushedAt !== null && (
          <>
            , pushed <Time at={pushedAt} />
          </>
        )}
      </span>
    </>
  );
}

/** `readAt` is undefined until the list is there, and null before the first answer of GitHub. */
function useRefreshOnce(readAt: number | null | undefined, refresh: () => void): void {
  const asked = useRef(false);
  useEffect(() => {
    if (readAt === undefined || asked.current) return;
    asked.current = true;
    if (readAt === null || consoleTime() - readAt > repositoriesFreshMs) refresh();
  });
}
