import { programCallLimits } from '@homeport/contract/program-calls/facts';
import { tokenKinds } from '@homeport/contract/tokens/facts';
import type { ApiToken } from '@homeport/contract/tokens/schema';
import { lazy, Suspense, useState } from 'react';
import { orSentence } from '../../data/problem-text.ts';
import { useAct, useApi } from '../../data/use-api.ts';
import { NotLoaded } from '../../page-frame/NotLoaded.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { ConfirmDialog } from '../../ui/dialog/confirm-on-demand.ts';
import { NothingYet, SkeletonRows } from '../../ui/feedback/States.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import { Panel } from '../../ui/layout/Panel.tsx';
import settingsListStyles from '../../ui/layout/settings-list.module.css';
import { useFirstRows } from '../../ui/table/use-first-rows.tsx';
import { useNow } from '../../ui/text/use-now.ts';
import { FormerPrograms } from './FormerPrograms.tsx';
import type { ShownProgram } from './ProgramHistory.tsx';
import { ProgramLine } from './ProgramLine.tsx';
import { ProposalsOfPrograms } from './ProposalsOfPrograms.tsx';

const NewTokenDialog = lazy(async () => ({ default: (await import('./NewTokenDialog.tsx')).NewTokenDialog }));
const ProgramHistory = lazy(async () => ({ default: (await import('./ProgramHistory.tsx')).ProgramHistory }));

const expiryLookedAtEveryMs = 60_000;
const shownFirst = 10;

type Layer =
  | { kind: 'none' }
  | { kind: 'new' }
  | { kind: 'revoke'; token: ApiToken }
  | { kind: 'revoke-all'; count: number }
  | { kind: 'history'; program: ShownProgram };

/** What calls the console as the person, each with a token of its own, and what it did. */
export function Programs() {
  const tokens = useApi('GET /api/tokens');
  const former = useApi('GET /api/tokens/former');
  const proposals = useApi('GET /api/proposals');
  const [layer, setLayer] = useState<Layer>({ kind: 'none' });
  const now = useNow(expiryLookedAtEveryMs);
  const sorted = byKind(tokens.data ?? []);
  const { shown, more } = useFirstRows(sorted, shownFirst);
  const close = () => setLayer({ kind: 'none' });
  const open = (program: ShownProgram) => setLayer({ kind: 'history', program });
  // What is gone stands below, and would push the rest of the page down later.
  const isReady = tokens.data !== undefined && !former.isPending && !proposals.isPending;
  return (
    <Panel
      id="programs"
      title="Programs"
      body="flush"
      busy={!isReady && !tokens.error}
      actions={
        <>
          {more}
          {sorted.length > 1 && (
            <Button size="sm" onClick={() => setLayer({ kind: 'revoke-all', count: sorted.length })}>
              Revoke all
            </Button>
          )}
          <Button size="sm" icon="plus" onClick={() => setLayer({ kind: 'new' })}>
            New token
          </Button>
        </>
      }
      footer={
        sorted.length > 0 &&
        'A program sends a token as Authorization: Bearer. A token alone cannot work on a server, because that needs an SSH key: a program proposes, and you approve here; a terminal reads logs of apps, deploys and restarts them, with the SSH agent of its machine. Tokens go on after a change of the password.'
      }
    >
      <NotLoaded query={tokens} title="The tokens could not be loaded" rows={1} />
      {tokens.data && !isReady && <SkeletonRows rows={1} />}
      {isReady && sorted.length === 0 && (
        <NothingYet>None yet. With a token, a program calls the console as you.</NothingYet>
      )}
      {isReady && shown.length > 0 && (
        <ul className={settingsListStyles.settings} aria-label="Programs">
          {shown.map((token) => (
            <ProgramLine
              key={token.id}
              token={token}
              expired={token.expiresAt <= now}
              onHistory={() => open(token)}
              onRevoke={() => setLayer({ kind: 'revoke', token })}
            />
          ))}
        </ul>
      )}
      {isReady && <ProposalsOfPrograms proposals={proposals} />}
      {isReady && <FormerPrograms former={former} onHistory={open} />}
      <Suspense>
        {layer.kind === 'new' && <NewTokenDialog onClose={close} />}
        {layer.kind === 'history' && <ProgramHistory program={layer.program} onClose={close} />}
      </Suspense>
      {layer.kind === 'revoke' && <RevokeDialog token={layer.token} onClose={close} />}
      {layer.kind === 'revoke-all' && <RevokeAllDialog count={layer.count} onClose={close} />}
    </Panel>
  );
}

/** Each kind together; within a kind the newest first, as the console lists them. */
const byKind = (tokens: readonly ApiToken[]): ApiToken[] =>
  tokenKinds.flatMap((kind) => tokens.filter((token) => token.kind === kind));

const keptFor = `What it did stays listed for ${programCallLimits.days} days.`;

function RevokeDialog({ token: { id, name }, onClose }: { token: ApiToken; onClose: () => void }) {
  const revoke = useAct('DELETE /api/tokens/:id', { onDone: () => toast.ok(`Token ${name} revoked`) });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Revoke ${name}?`}
      description={`Programs that use this token are refused from now on. ${keptFor}`}
      action="Revoke token"
      busyLabel="Revoking"
      onConfirm={() => orSentence(revoke.mutateAsync({ params: { id } }))}
    />
  );
}

function RevokeAllDialog({ count, onClose }: { count: number; onClose: () => void }) {
  const revoke = useAct('POST /api/tokens/revoke-all', {
    onDone: ({ revoked }) => toast.ok(revoked === 1 ? '1 token revoked' : `${revoked} tokens revoked`),
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Revoke all ${count} tokens?`}
      description={`Every program, terminal and coding agent is refused from now on. What they did stays listed for ${programCallLimits.days} days.`}
      action="Revoke all tokens"
      busyLabel="Revoking"
      onConfirm={async () => {
        await orSentence(revoke.mutateAsync({}));
      }}
    />
  );
}
