import { type DatabaseTypeName, databaseTypeOf } from '@homeport/contract/databases/types/database-types';
import { Button } from '../../ui/button/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { SubmitFoot } from '../../ui/form/SubmitFoot.tsx';
import definitionsStyles from '../../ui/layout/definitions.module.css';
import layout from '../../ui/layout/layout.module.css';
import { Panel } from '../../ui/layout/Panel.tsx';
import typography from '../../ui/text/typography.module.css';
import styles from './NewDatabaseSummary.module.css';

export interface NewDatabaseSummaryProps {
  name: string;
  type: DatabaseTypeName | null;
  serverName: string | null;
  imageVersion: string;
  /** The version that the server takes where none is named; null: not known. */
  usualVersion: string | null;
  memoryMb: string;
  /** The work that the button waits for: "Connecting", "Creating". */
  busyLabel: string | null;
}

export function NewDatabaseSummary({
  name,
  type,
  serverName,
  imageVersion,
  usualVersion,
  memoryMb,
  busyLabel,
}: NewDatabaseSummaryProps) {
  const open = <span className={typography.subtle}>not chosen</span>;
  const facts = type && databaseTypeOf(type);
  return (
    <aside className={styles.summary} aria-label="Summary">
      <Panel title="Summary" line={false}>
        <div className={classNames(layout.stack, layout.gap5)}>
          <dl className={classNames(definitionsStyles.list, styles.facts)}>
            <dt>Database</dt>
            <dd>{name.trim() || open}</dd>
            <dt>Type</dt>
            <dd>{facts?.title ?? open}</dd>
            <dt>Version</dt>
            <dd>
              {imageVersion.trim() ||
                (usualVersion ? `${usualVersion}, the plugin’s default` : 'The plugin’s default')}
            </dd>
            <dt>Server</dt>
            <dd>{serverName ?? open}</dd>
            <dt>Memory</dt>
            <dd>{memoryMb.trim() === '' ? 'No limit' : `At most ${memoryMb.trim()} MB`}</dd>
            <dt>Password</dt>
            <dd>
              {facts && !facts.hasPassword ? `None: ${facts.title} has none` : 'Generated on the server'}
            </dd>
          </dl>
          <SubmitFoot>
            <Button
              type="submit"
              variant="primary"
              size="lg"
              block
              busy={busyLabel !== null}
              {...(busyLabel ? { busyLabel } : {})}
            >
              Create database
            </Button>
          </SubmitFoot>
          <p className={classNames(typography.extraSmall, typography.subtle)}>
            Creation takes up to a minute, and longer where an image must be fetched. You will see the log as
            it runs.
          </p>
        </div>
      </Panel>
    </aside>
  );
}
