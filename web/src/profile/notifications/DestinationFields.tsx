import { destinationLimits } from '@homeport/contract/destinations/facts';
import { nameCharacters } from '@homeport/contract/fields/facts';
import type { RefObject } from 'react';
import { fieldProblem } from '../../data/problem-text.ts';
import { ProblemBanner } from '../../page-frame/ProblemBanner.tsx';
import { TextField } from '../../ui/form/Field.tsx';
import type { DestinationForm, DestinationFormEvent } from './destination-form.ts';
import { kindTexts } from './kind-texts.ts';

interface Props {
  form: DestinationForm;
  tell: (event: DestinationFormEvent) => void;
  problems: Readonly<Record<string, string>>;
  /** What the console answered. */
  error: Error | null;
  nameField?: RefObject<HTMLInputElement | null>;
  /** The target stays where its fields are empty. */
  keepsTarget?: boolean;
}

/** The name and the target of a destination. */
export function DestinationFields({ form, tell, problems, error, nameField, keepsTarget = false }: Props) {
  const { fields } = kindTexts[form.kind];
  const refused = (name: string) => fieldProblem(error, name);
  const isTold = refused('name') ?? fields.map(({ name }) => refused(`target.${name}`)).find(Boolean);
  return (
    <>
      {error && !isTold && <ProblemBanner error={error} />}
      <TextField
        {...(nameField && { ref: nameField })}
        label="Name"
        help="How you know the destination again."
        autoComplete="off"
        maxLength={nameCharacters}
        value={form.name}
        error={problems.name ?? refused('name')}
        onChange={(event) => tell({ type: 'named', name: event.currentTarget.value })}
      />
      {fields.map(({ name, label, help, placeholder, optional }) => (
        <TextField
          key={name}
          mono
          label={keepsTarget ? `New ${label.toLowerCase()}` : label}
          help={keepsTarget ? 'Leave it empty to keep the present one.' : help}
          autoComplete="off"
          maxLength={destinationLimits.urlCharacters}
          value={form.values[name] ?? ''}
          error={problems[name] ?? refused(`target.${name}`)}
          {...(placeholder !== undefined && { placeholder })}
          {...((optional || keepsTarget) && { optional: true })}
          onChange={(event) => tell({ type: 'typed', field: name, value: event.currentTarget.value })}
        />
      ))}
    </>
  );
}
