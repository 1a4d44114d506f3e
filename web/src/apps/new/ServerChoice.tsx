import { messages } from '@homeport/contract/messages';
import { RadioCards } from '../../ui/Choice.tsx';
import { Select } from '../../ui/Field.tsx';
import { Lamp } from '../../ui/Status.tsx';
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

/** Cards that say how each server is; a list where there are too many to compare. */
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
          <span className="row between serverhead">
            {server.name}
            <span className="row xs muted">
              <Lamp state={looks[status].lamp} />
              {looks[status].word}
            </span>
          </span>
        ),
      }))}
    />
  );
}
