import { overlayAtMostMs } from '@homeport/contract/limits';
import { useEffect, useState } from 'react';
import { useApi } from '../data/use-api.ts';
import { Mark } from '../ui/picture/Logo.tsx';
import loadingStyles from './loading.module.css';

const waitMs = 150;

/** Covers the first load only, for at most 6 s. After that, missing data shows as skeletons. */
export function LoadingOverlay() {
  const servers = useApi('GET /api/servers');
  const apps = useApi('GET /api/apps');
  const [phase, setPhase] = useState<'waiting' | 'shown' | 'over'>('waiting');
  const loaded = !servers.isPending && !apps.isPending;

  useEffect(() => {
    if (loaded) {
      setPhase('over');
      return;
    }
    // A click is a press and a release on the same element. A cover that appears in between would swallow the
    // click.
    const cover = () => {
      if (document.querySelector(':active')) show = setTimeout(cover, waitMs);
      else setPhase('shown');
    };
    let show = setTimeout(cover, waitMs);
    const give = setTimeout(() => {
      clearTimeout(show);
      setPhase('over');
    }, overlayAtMostMs);
    return () => {
      clearTimeout(show);
      clearTimeout(give);
    };
  }, [loaded]);

  if (phase !== 'shown') return null;
  return (
    <div className={loadingStyles.cover} role="status">
      <div>
        <Mark size={40} />
        Loading your servers and apps
      </div>
    </div>
  );
}
