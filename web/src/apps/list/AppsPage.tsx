import type { App } from '@homeport/contract/apps/schema';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { apiQuery } from '../../data/api-query.ts';
import { rememberOpened, wasOpened } from '../../data/opened-once.ts';
import { problemText } from '../../data/problem-text.ts';
import { useSession } from '../../data/session.ts';
import { useApi } from '../../data/use-api.ts';
import { Page } from '../../page-frame/Page.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { ButtonLink } from '../../ui/button/ButtonLink.tsx';
import { StaleList } from '../../ui/feedback/StaleList.tsx';
import { Empty, Failed, SkeletonRows } from '../../ui/feedback/States.tsx';
import layout from '../../ui/layout/layout.module.css';
import { Panel } from '../../ui/layout/Panel.tsx';
import { HowToDeployDialog } from '../deploy/HowToDeployDialog.tsx';
import { useAppStates } from '../use-app-states.ts';
import { AppsPanel } from './AppsPanel.tsx';
import { summaryOf } from './filter-apps.ts';

export function AppsPage() {
  const apps = useApi('GET /api/apps');
  const account = useSession().user.id;
  const client = useQueryClient();
  const [explained, setExplained] = useState<App | null>(null);
  const { stateOf } = useAppStates();
  const only = apps.data?.length === 1 ? apps.data[0] : undefined;

  useEffect(() => {
    if (!only || wasOpened('homeport.deploy-hint', account)) return;
    let isLeft = false;
    // What the dialog shows is read first, so that it opens as high as it stays.
    const read = apiQuery('GET /api/apps/:id/deploy-instructions', { params: { id: only.id } });
    void client.prefetchQuery(read).then(() => {
      if (isLeft || wasOpened('homeport.deploy-hint', account)) return;
      rememberOpened('homeport.deploy-hint', account);
      setExplained(only);
    });
    return () => {
      isLeft = true;
    };
  }, [only, account, client]);

  const newest = apps.data?.toSorted((a, b) => b.createdAt - a.createdAt) ?? [];
  const [first] = newest;
  const shownFirst = explained ? [explained, ...newest.filter(({ id }) => id !== explained.id)] : newest;

  return (
    <Page
      title="Applications"
      sub={first && summaryOf(newest, stateOf)}
      actions={
        <>
          {first && (
            <Button icon="book" onClick={() => setExplained(first)}>
              How to deploy
            </Button>
          )}
          {(first || !apps.data) && (
            <ButtonLink to="/apps/new" variant="primary" icon="plus">
              New app
            </ButtonLink>
          )}
        </>
      }
    >
      {apps.isError && apps.data && (
        <div className={layout.banners}>
          <StaleList what="apps" loadedAt={apps.dataUpdatedAt} onRetry={() => void apps.refetch()} />
        </div>
      )}
      {apps.isPending && (
        <Panel body="flush" busy>
          <SkeletonRows />
        </Panel>
      )}
      {apps.isError && !apps.data && (
        <Panel>
          <Failed title="The apps could not be loaded" onRetry={() => void apps.refetch()}>
            {problemText(apps.error)}
          </Failed>
        </Panel>
      )}
      {apps.data && !first && (
        <Panel>
          <Empty
            title="No apps yet"
            action={
              <ButtonLink to="/apps/new" variant="primary" icon="plus">
                New app
              </ButtonLink>
            }
          >
            An app is your code, running on one of your servers. Create it here, then deploy with git push.
          </Empty>
        </Panel>
      )}
      {apps.data && first && <AppsPanel apps={apps.data} onExplain={setExplained} />}
      <HowToDeployDialog
        key={explained?.id}
        open={explained !== null}
        onClose={() => setExplained(null)}
        apps={shownFirst}
      />
    </Page>
  );
}
