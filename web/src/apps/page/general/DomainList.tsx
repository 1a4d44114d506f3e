import type { App } from '@homeport/contract/apps/schema';
import { Button, IconButton } from '../../../ui/button/Button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import layout from '../../../ui/layout/layout.module.css';
import { Icon } from '../../../ui/picture/Icon.tsx';
import typography from '../../../ui/text/typography.module.css';
import type { ManageDialog } from '../manage/manage-dialog.ts';
import styles from './general.module.css';

export interface DomainListProps {
  app: App;
  /** Why the user can change nothing on this server. null where the console can log in. */
  closed: string | null;
  onOpen: (dialog: ManageDialog) => void;
}

/** The domains at which the app answers. The lock says that visitors are served by HTTPS. */
export function DomainList({ app, closed, onOpen }: DomainListProps) {
  const { domains, https, unread } = app;
  return (
    <div className={classNames(layout.stack, layout.gap2)}>
      <div className={classNames(layout.row, layout.spaceBetween)}>
        <h3 className={typography.subheading}>Domains</h3>
        <Button size="sm" icon="plus" disabledReason={closed} onClick={() => onOpen({ kind: 'add-domain' })}>
          Add domain
        </Button>
      </div>
      {domains.length === 0 ? (
        <p className={classNames(typography.small, typography.subtle)}>
          {unread ? 'Not read from the server yet.' : 'None yet: nobody reaches the app.'}
        </p>
      ) : (
        <ul className={styles.domains}>
          {domains.map((domain) => (
            <li key={domain} className={layout.row}>
              <Icon name={https ? 'lock' : 'domain'} className={https ? styles.locked : typography.subtle} />
              <span className={classNames(typography.monospace, layout.grow)}>{domain}</span>
              <small className={classNames(typography.subtle, typography.nowrap)}>
                {https ? 'HTTPS' : 'HTTP'}
              </small>
              <IconButton
                label={`Remove ${domain}`}
                icon="trash"
                disabledReason={closed}
                onClick={() => onOpen({ kind: 'remove-domain', domain })}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
