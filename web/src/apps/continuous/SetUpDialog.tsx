import type { App } from '@homeport/contract/apps/schema';
import { deploySecretName, workflowPath } from '@homeport/contract/github/facts';
import type { DeploymentPlan } from '@homeport/contract/github/schema';
import type { Server } from '@homeport/contract/servers/schema';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callOnServer } from '../../connections/call-on-server.ts';
import { call } from '../../data/call.ts';
import { problemText } from '../../data/problem-text.ts';
import { onServerKey } from '../../data/query-keys.ts';
import { openOperation } from '../../operations/open-operation.ts';
import { NotLoaded } from '../../page-frame/NotLoaded.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { Banner } from '../../ui/feedback/Banner.tsx';
import layout from '../../ui/layout/layout.module.css';
import typography from '../../ui/text/typography.module.css';
import { WorkflowText } from '../deploy/WorkflowText.tsx';

export interface SetUpDialogProps {
  app: App;
  server: Server;
  onClose: () => void;
}

/** Shows what the set-up of a continuous deployment does, letter for letter, and begins it. */
export function SetUpDialog({ app, server, onClose }: SetUpDialogProps) {
  const client = useQueryClient();
  const plan = useQuery({
    queryKey: onServerKey('GET /api/apps/:id/continuous-deployment/plan', app.id),
    queryFn: ({ signal }) =>
      callOnServer(
        client,
        'GET /api/apps/:id/continuous-deployment/plan',
        { params: { id: app.id } },
        { signal },
      ),
    gcTime: 0,
    retry: false,
  });
  const { state, begin } = useSetUp(app, onClose);
  return (
    <Dialog
      open
      onClose={onClose}
      size="wide"
      title="Set up continuous deployment"
      description={`Each push to the default branch of ${app.repository?.fullName ?? 'the repository'} deploys ${app.name}.`}
      footer={
        <>
          <Button className={layout.atEnd} onClick={onClose}>
            Cancel
          </Button>
          <Button
            variant="primary"
            busy={state.kind === 'busy'}
            busyLabel="Sealing the key"
            disabledReason={plan.data ? null : 'The plan is not there yet.'}
            onClick={() => plan.data && void begin(plan.data)}
          >
            Set up
          </Button>
        </>
      }
    >
      <div className={layout.stack}>
        {state.kind === 'failed' && (
          <Banner tone="bad">
            <p>{state.reason}</p>
          </Banner>
        )}
        <NotLoaded query={plan} title="The plan could not be made" rows={6} />
        {plan.data && <Plan plan={plan.data} server={server} />}
      </div>
    </Dialog>
  );
}

type SetUp = { kind: 'rest' } | { kind: 'busy' } | { kind: 'failed'; reason: string };

/** Makes the pair in this page, seals its private half for the repository, and begins the operation. */
function useSetUp(app: App, onBegun: () => void) {
  const [state, setState] = useState<SetUp>({ kind: 'rest' });
  const begin = async ({ repository, branch, workflow, sealingKey }: DeploymentPlan) => {
    setState({ kind: 'busy' });
    try {
      const { sealedPair } = await import('./sealed-pair.ts');
      const { publicKey, sealed } = await sealedPair(sealingKey.key, `homeport ${app.longname}`);
      const operation = await call('POST /api/apps/:id/continuous-deployment', {
        params: { id: app.id },
        body: { publicKey, secret: { keyId: sealingKey.id, sealed }, workflow, repository, branch },
      });
      onBegun();
      openOperation(operation.id);
    } catch (error) {
      setState({
        kind: 'failed',
        reason: problemText(error instanceof Error ? error : new Error(String(error))),
      });
    }
  };
  return { state, begin };
}

const reaches: Record<DeploymentPlan['reach'], string | null> = {
  this_app: null,
  open_apps:
    'This app has no list of keys. The new key may push to every app of the server without one, as every key there may.',
  every_app: 'The server has no acl plugin, so the new key may push to every app there.',
};

function Plan({ plan, server }: { plan: DeploymentPlan; server: Server }) {
  const { branch, isProtected, workflow, existing, hasSecret, reach, hasIpv4, deployBranchBefore } = plan;
  const warning = reaches[reach];
  return (
    <>
      {!hasIpv4 && (
        <Banner tone="warn">
          <p>
            {server.name} has no IPv4 address that Homeport knows, and GitHub’s own runners have no IPv6: a
            deployment would not reach it. Give the server its IPv4 address or a name that leads to it, or use
            a runner of your own with IPv6.
          </p>
        </Banner>
      )}
      {warning && (
        <Banner tone="warn">
          <p>{warning}</p>
        </Banner>
      )}
      <ol className={classNames(layout.stack, typography.small)}>
        <li>
          This page makes a new key for this app alone. Its public half goes to {server.name}; a key of an
          earlier set-up is replaced.
        </li>
        {deployBranchBefore !== null && (
          <li>
            Dokku builds <code>{branch}</code> from then on, no longer <code>{deployBranchBefore}</code>.
          </li>
        )}
        <li>
          Its private half is sealed here for GitHub and becomes the secret <code>{deploySecretName}</code>.
          Homeport cannot read it.{hasSecret && ' The secret of that name is replaced.'}
        </li>
        <li className={classNames(layout.stack, layout.gap2)}>
          <span>
            {isProtected
              ? 'The branch is protected, so this file comes as a pull request: '
              : 'This file is committed, and the commit is the first push that deploys: '}
            <code>{workflowPath}</code>
            {existing === 'other' && '. It replaces another file of that name.'}
            {existing === 'same' && '. It is there already.'}
          </span>
          <WorkflowText text={workflow} />
        </li>
      </ol>
      <p className={classNames(typography.small, typography.muted)}>
        GitHub’s machines have to reach {server.name} on port {server.git.port}. Each step can be repeated,
        and all of them undone.
      </p>
    </>
  );
}
