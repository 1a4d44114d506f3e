import { messages } from '@homeport/contract/messages';
import { classNames } from '../../ui/class-names.ts';
import { Lamp } from '../../ui/feedback/Status.tsx';
import { RadioCards } from '../../ui/form/Choice.tsx';
import { Select } from '../../ui/form/Field.tsx';
import layout from '../../ui/layout/layout.module.css';
import typography from '../../ui/text/typography.module.css';
import styles from './ServerChoice.module.css';
import type { ServerOffer } from './server-offer.ts';

const cardsAtMost = 6;
const looks = {
  online: { lamp: 'on', word: messages.online },
  offline: { lamp: 'off', word: messages.offline },
  'no-data': { lamp: 'nodata', word: messages.noData },
} as const;

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
            label: `${server.name}: ${refusal ?? `${looks[status].word}, ${note}`}`,
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
              <Lamp state={looks[status].lamp} />
              {looks[status].word}
            </span>
          </span>
        ),
      }))}
    />
  );
}
