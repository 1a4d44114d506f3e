import type { Server } from '@homeport/contract/servers/schema';
import { useState } from 'react';
import { fieldProblem, problemText } from '../../data/problem-text.ts';
import { useSession } from '../../data/session.ts';
import { leaveFor } from '../../data/signed-out-address.ts';
import { useAct, useApi } from '../../data/use-api.ts';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog.tsx';
import { Failed, SkeletonRows } from '../../ui/feedback/States.tsx';
import { PasswordField } from '../../ui/form/Field.tsx';
import layout from '../../ui/layout/layout.module.css';
import typography from '../../ui/text/typography.module.css';

/** Says what is deleted and what stays on the servers, and asks for the password and the word. */
export function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const profile = useApi('GET /api/profile');
  const { githubLinked } = useSession();
  const servers = useApi('GET /api/servers');
  const [password, setPassword] = useState('');
  const remove = useAct('POST /api/profile/delete');
  const refusal = fieldProblem(remove.error, 'password');
  const hasPassword = profile.data?.hasPassword ?? true;
  const confirm = async () => {
    try {
      await remove.mutateAsync({
        body: { confirmation: 'delete', password: hasPassword ? password : null },
      });
    } catch (error) {
      throw new Error(fieldProblem(error, 'password') ?? problemText(error));
    }
    await leaveFor('/login');
  };
  const failed = [profile, servers].find((query) => query.isError && !query.data);
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Delete your account?"
      description="Your keys, the records of your servers, apps and databases, their stats and logs, your tokens and sign-ins are deleted from this console. This cannot be undone."
      action="Delete account"
      busyLabel="Deleting"
      typed="delete"
      onConfirm={confirm}
    >
      <div className={layout.stack}>
        {servers.isPending && <SkeletonRows rows={1} />}
        {failed && (
          <Failed title="Your servers could not be loaded" onRetry={() => failed.refetch()}>
            {problemText(failed.error)}
          </Failed>
        )}
        {servers.data && <WhatStays servers={servers.data} />}
        {githubLinked && (
          <p className={typography.small}>
            At GitHub, the console removes its deploy keys and ends your grant, as far as GitHub answers.
            Workflows and their secrets stay in your repositories, and their keys on your servers, so that
            pushes go on to deploy. To end that, undo the continuous deployment on each app’s page first.
          </p>
        )}
        {hasPassword && (
          <PasswordField
            label="Your password"
            autoComplete="current-password"
            value={password}
            error={refusal}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
        )}
      </div>
    </ConfirmDialog>
  );
}

function WhatStays({ servers }: { servers: readonly Server[] }) {
  const real = servers.filter(({ simulated }) => !simulated);
  if (real.length === 0) return null;
  return (
    <p className={typography.small}>
      On {real.map(({ name }) => name).join(', ')}, apps, databases and dumps go on. So do the agent, the
      account homeport and your public key there. To take these away, remove each server first, with
      uninstalling.
    </p>
  );
}
