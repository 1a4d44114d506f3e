import type { DnsRecord } from '@homeport/contract/domains/schema';
import { Button } from '../../ui/button/Button.tsx';
import layout from '../../ui/layout/layout.module.css';
import typography from '../../ui/text/typography.module.css';
import { clash, type RecordForm } from './record-form.ts';

interface ReplaceQuestionProps {
  form: RecordForm;
  /** The records that stand at the name of the new one. */
  standing: readonly DnsRecord[];
  busy: boolean;
  onAdd: (replaces: string[]) => void;
  onUpdate: (id: string) => void;
}

/** Says what stands at a name now, and what each choice makes of it. */
export function ReplaceQuestion({ form, standing, busy, onAdd, onUpdate }: ReplaceQuestionProps) {
  const [only] = standing;
  const clashing = standing.filter(({ type }) => clash(type, form.type));
  const mayAdd = clashing.length === 0 && form.type !== 'CNAME';
  return (
    <div className={layout.stack}>
      <p>{standing.length === 1 ? 'This record stands' : 'These records stand'} at this name now:</p>
      <ul>
        {standing.map(({ id, type, content }) => (
          <li key={id} className={typography.monospace}>
            {type} {content}
          </li>
        ))}
      </ul>
      <p>
        The new one:{' '}
        <span className={typography.monospace}>
          {form.type} {form.content}
        </span>
        . {mayAdd ? 'Both can stand at the name.' : 'They cannot stand at one name together.'}
      </p>
      <div className={layout.row}>
        {mayAdd && (
          <Button busy={busy} busyLabel="Adding" onClick={() => onAdd([])}>
            Add beside {standing.length === 1 ? 'it' : 'them'}
          </Button>
        )}
        {only && standing.length === 1 && only.type === form.type ? (
          <Button variant="primary" busy={busy} busyLabel="Updating" onClick={() => onUpdate(only.id)}>
            Update it
          </Button>
        ) : (
          <Button
            variant="primary"
            busy={busy}
            busyLabel="Replacing"
            onClick={() => onAdd(standing.map(({ id }) => id))}
          >
            Replace {standing.length === 1 ? 'it' : 'all of them'}
          </Button>
        )}
      </div>
    </div>
  );
}
