import { serverStatusText } from '@homeport/contract/servers/health';
import { classNames } from '../ui/class-names.ts';
import { Lamp, lampOf } from '../ui/feedback/Status.tsx';
import { RadioCards } from '../ui/form/Choice.tsx';
import { Select } from '../ui/form/Select.tsx';
import layout from '../ui/layout/layout.module.css';
import typography from '../ui/text/typography.module.css';
import styles from './ServerChoice.module.css';
import type { ServerOffer } from './server-offer.ts';

const cardsAtMost = 6;

export interface ServerChoiceProps {
  offers: readonly ServerOffer[];
  value: string | null;
  onChange: (serverId: string) => void;
  error?: string | undefined;
}

/** Cards that show how each server does. Too many servers to compare become a list. */
export function ServerChoice({ offers, value, onChange, error }: ServerChoiceProps) {
  if (offers.length > cardsAtMost) {
    return (
      <Select
        label="Server"
        value={value ?? ''}
        error={error}
        options={[
          { value: '', label: 'Choose a server', disabled: true },
          ...offers.map(({ server, status, note, refusal }) => ({
            value: server.id,
            // A phone cuts the end off, so the free memory stands before the rest.
            label: refusal === null ? optionText(server.name, note, status) : `${server.name}: ${refusal}`,
            disabled: refusal !== null,
          })),
        ]}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <RadioCards
      legend="Server"
      value={value}
      onChange={onChange}
      error={error}
      options={offers.map(({ server, status, note, refusal }) => ({
        value: server.id,
        note,
        disabledReason: refusal,
        label: (
          <span className={classNames(layout.row, layout.spaceBetween, styles.head)}>
            {server.name}
            <span className={classNames(layout.row, typography.extraSmall, typography.muted)}>
              <Lamp state={lampOf[status]} />
              {serverStatusText(status)}
            </span>
          </span>
        ),
      }))}
    />
  );
}

/** "harbour-sandbox, 21.2 GB RAM free", which a phone shows whole. The status stands there where it is not the usual one. */
function optionText(name: string, note: string, status: ServerOffer['status']): string {
  const [things = '', ...rest] = note.split(', ');
  const parts = [
    ...(status === 'online' ? [] : [serverStatusText(status)]),
    ...(rest.length > 0 ? rest : [things]),
  ];
  return `${name}, ${parts.join(', ')}`;
}
