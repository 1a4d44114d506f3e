import type { ApiToken } from '@homeport/contract/tokens/schema';
import { lazy, Suspense, useState } from 'react';
import { orSentence } from '../../data/problem-text.ts';
import { useAct, useApi } from '../../data/use-api.ts';
import { NotLoaded } from '../../page-frame/NotLoaded.tsx';
import { Button } from '../../ui/button/Button.tsx';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog.tsx';
import { NothingYet } from '../../ui/feedback/States.tsx';
import { Badge } from '../../ui/feedback/Status.tsx';
import { toast } from '../../ui/feedback/toasts.ts';
import layout from '../../ui/layout/layout.module.css';
import { Panel } from '../../ui/layout/Panel.tsx';
import settingsListStyles from '../../ui/layout/settings-list.module.css';
import { formatDate } from '../../ui/text/format.ts';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';
import { useNow } from '../../ui/text/use-now.ts';
import { scopesInWords, tokenKindTexts } from './area-texts.ts';

const NewTokenDialog = lazy(async () => ({ default: (await import('./NewTokenDialog.tsx')).NewTokenDialog }));

const expiryLookedAtEveryMs = 60_000;

type Layer = { kind: 'none' } | { kind: 'new' } | { kind: 'revoke'; token: ApiToken };

/** The tokens with which the person's programs call the console. */
export function Tokens() {
  const tokens = useApi('GET /api/tokens');
  const [layer, setLayer] = useState<Layer>({ kind: 'none' });
  const now = useNow(expiryLookedAtEveryMs);
  const close = () => setLayer({ kind: 'none' });
  return (
    <Panel
      id="api-tokens"
      title="API tokens"
      body="flush"
      busy={tokens.isPending}
      actions={
        <Button size="sm" icon="plus" onClick={() => setLayer({ kind: 'new' })}>
          New token
        </Button>
      }
      footer={
        (tokens.data?.length ?? 0) > 0 &&
        'A program sends a token as Authorization: Bearer. A token cannot work on a server, because that needs this browser’s SSH key. Tokens go on after a change of the password.'
      }
    >
      <NotLoaded query={tokens} title="The tokens could not be loaded" rows={1} />
      {tokens.data?.length === 0 && (
        <NothingYet>None yet. With a token, a program calls the console as you.</NothingYet>
      )}
      {tokens.data && tokens.data.length > 0 && (
        <ul className={settingsListStyles.settings} aria-label="API tokens">
          {tokens.data.map((token) => (
            <TokenLine
              key={token.id}
              token={token}
              expired={token.expiresAt <= now}
              onRevoke={() => setLayer({ kind: 'revoke', token })}
            />
          ))}
        </ul>
      )}
      <Suspense>{layer.kind === 'new' && <NewTokenDialog onClose={close} />}</Suspense>
      {layer.kind === 'revoke' && <RevokeDialog token={layer.token} onClose={close} />}
    </Panel>
  );
}

interface TokenLineProps {
  token: ApiToken;
  expired: boolean;
  onRevoke: () => void;
}

function TokenLine({ token, expired, onRevoke }: TokenLineProps) {
  const { kind, name, lastFour, scopes, expiresAt, lastUsedAt } = token;
  return (
    <li>
      <span className={typography.twoLines}>
        <span className={typography.strong}>
          {name} <span className={typography.monospace}>…{lastFour}</span>
        </span>
        <small>
          {tokenKindTexts[kind]}. {scopesInWords(scopes)}. {expired ? 'Expired' : 'Expires'}{' '}
          {formatDate(expiresAt)},{' '}
          {lastUsedAt === null ? (
            'never used'
          ) : (
            <>
              last used <Time at={lastUsedAt} />
            </>
          )}
        </small>
      </span>
      <span className={layout.row}>
        {expired && <Badge tone="plain">Expired</Badge>}
        <Button size="sm" onClick={onRevoke}>
          Revoke<span className={layout.visuallyHidden}> the token {name}</span>
        </Button>
      </span>
    </li>
  );
}

function RevokeDialog({ token: { id, name }, onClose }: { token: ApiToken; onClose: () => void }) {
  const revoke = useAct('DELETE /api/tokens/:id', { onDone: () => toast.ok(`Token ${name} revoked`) });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Revoke ${name}?`}
      description="Programs that use this token are refused from now on."
      action="Revoke token"
      busyLabel="Revoking"
      onConfirm={() => orSentence(revoke.mutateAsync({ params: { id } }))}
    />
  );
}
