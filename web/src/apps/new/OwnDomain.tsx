import type { ZoneList } from '@homeport/contract/domains/schema';
import { hostnameCharacters } from '@homeport/contract/fields/facts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { classNames } from '../../ui/class-names.ts';
import controlsStyles from '../../ui/form/controls.module.css';
import { Field } from '../../ui/form/Field.tsx';
import typography from '../../ui/text/typography.module.css';
import type { AppDraft } from './app-draft.ts';
import styles from './new-app.module.css';

export interface OwnDomainProps {
  /** undefined: not read yet. */
  list: ZoneList | undefined;
  failed: boolean;
  draft: Pick<AppDraft, 'host' | 'zone'>;
  change: (part: Partial<AppDraft>) => void;
  problem: string | undefined;
  /** The DNS record that is offered for the domain. */
  offer: ReactNode;
}

/** A domain of the person's own: a name within a zone of the linked Cloudflare account. */
export function OwnDomain({ list, failed, draft, change, problem, offer }: OwnDomainProps) {
  const zones = list?.zones ?? [];
  const [only] = zones;
  return (
    <Field
      label="Domain"
      optional
      error={problem}
      help={helpOf(list, failed)}
      after={offer && <div>{offer}</div>}
    >
      {(wiring) => (
        <div className={classNames(styles.name, only && controlsStyles.affix)}>
          <input
            {...wiring}
            className={classNames(controlsStyles.input, typography.monospace, controlsStyles.monospaced)}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            disabled={!only}
            maxLength={hostnameCharacters}
            value={draft.host}
            onChange={(event) => change({ host: event.currentTarget.value })}
          />
          {zones.length > 1 ? (
            <select
              aria-label="Zone of the domain"
              className={classNames(controlsStyles.select, styles.zone)}
              value={draft.zone ?? ''}
              onChange={(event) => change({ zone: event.currentTarget.value })}
            >
              {zones.map(({ id, name, shownName }) => (
                <option key={id} value={name}>
                  .{shownName}
                </option>
              ))}
            </select>
          ) : (
            only && <span className={controlsStyles.suffix}>.{only.shownName}</span>
          )}
        </div>
      )}
    </Field>
  );
}

/** One line in each case, so that nothing moves when the zones are read. */
function helpOf(list: ZoneList | undefined, failed: boolean): ReactNode {
  if (!list)
    return failed ? 'The domains of your Cloudflare account could not be read.' : 'Reading your domains.';
  if (!list.linked)
    return (
      <>
        <Link to="/profile" hash="cloudflare">
          Link Cloudflare
        </Link>{' '}
        to choose a domain.
      </>
    );
  if (list.zones.length === 0) return 'Your Cloudflare account has no domain.';
  return 'Besides the address above. @ is the domain itself.';
}
