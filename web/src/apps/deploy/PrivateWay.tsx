import type { App } from '@homeport/contract/apps/schema';
import type { PrivateWay as Way } from '@homeport/contract/github/facts';
import type { DeployKeyPlan } from '@homeport/contract/github/schema';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../data/api-query.ts';
import { problemText } from '../../data/problem-text.ts';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { SkeletonRows } from '../../ui/feedback/States.tsx';
import { RadioCards } from '../../ui/form/Choice.tsx';
import definitionsStyles from '../../ui/layout/definitions.module.css';
import layout from '../../ui/layout/layout.module.css';
import typography from '../../ui/text/typography.module.css';

/** The way to a private commit: what can be chosen, and what the person has chosen. `way` is null until the plan is there. */
export function usePrivateWay(app: App, isPrivate: boolean) {
  const [chosen, choose] = useState<Way | null>(null);
  const plan = useQuery({
    ...apiQuery('GET /api/apps/:id/deploy-key/plan', { params: { id: app.id } }),
    enabled: isPrivate,
    retry: false,
    gcTime: 0,
    refetchInterval: false,
  });
  const byItself: Way = plan.data?.obstacle === null ? 'key' : 'archive';
  const way = !isPrivate || plan.isFetching ? null : plan.data ? (chosen ?? byItself) : 'archive';
  return { plan, way, choose, makesKey: way === 'key' && plan.data?.key === null };
}

export interface PrivateWayProps {
  app: App;
  choice: ReturnType<typeof usePrivateWay>;
}

/** Lets the person choose the way to a private commit, and shows what each one puts where. */
export function PrivateWay({ app, choice: { plan, way, choose } }: PrivateWayProps) {
  if (plan.isFetching) return <SkeletonRows rows={3} />;
  if (!plan.data)
    return (
      <Banner tone="warn">
        <p>
          This repository is private. It goes by an archive: {plan.error && problemText(plan.error)}{' '}
          {archiveNote}
        </p>
      </Banner>
    );
  const { obstacle } = plan.data;
  return (
    <>
      <p className={typography.small}>This repository is private. Choose how its code gets to the server.</p>
      <RadioCards
        legend="Way to the code"
        hideLegend
        value={way}
        onChange={choose}
        options={[
          {
            value: 'key',
            label: 'With the app’s deploy key',
            note: 'The server fetches it. History and GIT_REV are GitHub’s, so later pushes need no --force.',
            disabledReason: obstacle && obstacle.reason !== 'refused' ? obstacle.text : null,
          },
          { value: 'archive', label: 'By an archive', note: archiveNote },
        ]}
      />
      {obstacle?.reason === 'refused' && (
        <p className={typography.small}>The key was refused the last time. {obstacle.text}</p>
      )}
      {way === 'key' && <KeyFacts app={app} plan={plan.data} />}
    </>
  );
}

const archiveNote =
  'Homeport passes it on, and the server gets no key. Dokku commits it on top of the app’s own history: a later push of the branch needs --force.';

function KeyFacts({ app, plan }: { app: App; plan: DeployKeyPlan }) {
  const { key, repository, title, folder, host, alias } = plan;
  return (
    <div className={layout.stack}>
      <p className={typography.small}>
        {key ? 'The key is there already:' : 'This deploy makes a key and puts it in two places:'}
      </p>
      <dl className={definitionsStyles.list}>
        <dt>{app.serverName}</dt>
        <dd>
          The private half, made there and kept in <code>{folder}</code>. It never leaves the server.
        </dd>
        <dt>GitHub</dt>
        <dd>
          The public half, as “{key?.title ?? title}” of {repository}. It reads this repository alone and
          writes nothing.
        </dd>
        <dt>ssh</dt>
        <dd>
          On the server <code>{alias}</code> stands for {host}, with the host keys that GitHub publishes.
        </dd>
      </dl>
      <p className={typography.small}>
        Whoever gets into the server as root or dokku can read this repository with the key until you remove
        it on this page. Submodules come only from addresses that need no key.
      </p>
    </div>
  );
}
