import { type IncidentState, incidentStates, statusPageLimits } from '@homeport/contract/status-pages/facts';
import { Select } from '../../ui/form/Select.tsx';
import { Textarea, type TextareaProps } from '../../ui/form/Textarea.tsx';
import { incidentStateTexts } from '../status-page-texts.ts';

interface StateFieldProps {
  state: IncidentState;
  onChange: (state: IncidentState) => void;
}

/** How far an incident is. */
export function StateField({ state, onChange }: StateFieldProps) {
  return (
    <Select
      label="State"
      value={state}
      options={incidentStates.map((each) => ({ value: each, label: incidentStateTexts[each] }))}
      onChange={(event) => {
        const chosen = incidentStates.find((each) => each === event.currentTarget.value);
        if (chosen) onChange(chosen);
      }}
    />
  );
}

/** What readers should know, as plain paragraphs. */
export function TextBox(area: Pick<TextareaProps, 'value' | 'error' | 'onChange'>) {
  return (
    <Textarea
      label="Text"
      help="Plain text. Addresses that begin with http:// or https:// become links."
      maxLength={statusPageLimits.textCharacters}
      {...area}
    />
  );
}
