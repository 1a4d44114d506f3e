import { TextField, type TextFieldProps } from '../../../ui/form/Field.tsx';
import { Select } from '../../../ui/form/Select.tsx';
import { useNow } from '../../../ui/text/use-now.ts';
import { NextRuns } from './ScheduleFacts.tsx';
import {
  cronOf,
  type Rhythm,
  rhythms,
  type ScheduleEvent,
  type ScheduleForm,
  type ScheduleText,
} from './schedule-form.ts';
import { runsAhead, weekdays } from './schedule-texts.ts';

interface ScheduleTimeProps {
  form: ScheduleForm;
  tell: (event: ScheduleEvent) => void;
  timeZone: string;
  problem: (field: string) => string | undefined;
  text: (field: ScheduleText) => Pick<TextFieldProps, 'value' | 'error' | 'onChange'>;
}

const rhythmLabels: Record<Rhythm, string> = {
  hourly: 'Every hour',
  daily: 'Every day',
  weekly: 'Every week',
  custom: 'By a cron expression',
};

/** When backups are made, with the next times in words. */
export function ScheduleTime({ form, tell, timeZone, text }: ScheduleTimeProps) {
  const now = useNow(60_000);
  const { rhythm, weekday } = form;
  const ahead = runsAhead(cronOf(form) ?? '', timeZone, now);
  const next = (
    <>
      By the server’s clock ({timeZone}). Next: <NextRuns ahead={ahead} />.
    </>
  );
  return (
    <>
      <Select
        label="How often"
        value={rhythm}
        options={rhythms.map((value) => ({ value, label: rhythmLabels[value] }))}
        onChange={({ currentTarget }) => {
          const chosen = rhythms.find((each) => each === currentTarget.value);
          if (chosen) tell({ type: 'rhythm', rhythm: chosen });
        }}
      />
      {rhythm === 'weekly' && (
        <Select
          label="Day"
          value={weekday}
          options={weekdays.map((label, value) => ({ value: String(value), label }))}
          onChange={({ currentTarget }) =>
            tell({ type: 'text', field: 'weekday', text: currentTarget.value })
          }
        />
      )}
      {rhythm === 'hourly' && (
        <TextField
          {...text('minute')}
          label="Minute of the hour"
          inputMode="numeric"
          autoComplete="off"
          help={next}
        />
      )}
      {(rhythm === 'daily' || rhythm === 'weekly') && (
        <TextField {...text('time')} label="Time" type="time" help={next} />
      )}
      {rhythm === 'custom' && (
        <TextField
          {...text('cron')}
          label="Cron expression"
          mono
          autoComplete="off"
          help={<>Minute, hour, day of the month, month, day of the week. {next}</>}
        />
      )}
    </>
  );
}
