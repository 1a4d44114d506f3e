import type { ApiToken } from '@homeport/contract/tokens/schema';
import { Button } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Badge } from '../../ui/feedback/Status.tsx';
import layout from '../../ui/layout/layout.module.css';
import { formatDate } from '../../ui/text/format.ts';
import { Time } from '../../ui/text/Time.tsx';
import typography from '../../ui/text/typography.module.css';
import { scopesInWords, tokenKindTexts } from './area-texts.ts';
import styles from './ProgramLine.module.css';

interface ProgramLineProps {
  token: ApiToken;
  expired: boolean;
  onHistory: () => void;
  onRevoke: () => void;
}

/** One token: who uses it, what it may do, and where it was used last. */
export function ProgramLine({ token, expired, onHistory, onRevoke }: ProgramLineProps) {
  const { kind, name, lastFour, scopes, expiresAt, lastUsedAt, lastUsedFrom } = token;
  return (
    <li className={styles.line}>
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
          {lastUsedFrom && (
            <>
              {' '}
              from{' '}
              <span className={classNames(typography.monospace, typography.longWords)}>
                {lastUsedFrom.address}
              </span>
              , {lastUsedFrom.place}
            </>
          )}
        </small>
      </span>
      <span className={classNames(layout.row, styles.actions)}>
        {expired && <Badge tone="plain">Expired</Badge>}
        <Button size="sm" variant="ghost" onClick={onHistory}>
          What it did<span className={layout.visuallyHidden}> with the token {name}</span>
        </Button>
        <Button size="sm" onClick={onRevoke}>
          Revoke<span className={layout.visuallyHidden}> the token {name}</span>
        </Button>
      </span>
    </li>
  );
}
