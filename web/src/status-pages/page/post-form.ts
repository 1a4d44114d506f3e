import type { IncidentState, PostKind } from '@homeport/contract/status-pages/facts';

/** What is written of an incident, or of a maintenance that is announced. */
export interface PostForm {
  title: string;
  state: IncidentState;
  text: string;
  /** As fields of type `datetime-local` hold them: in the time zone of this browser. */
  starts: string;
  ends: string;
  affects: readonly string[];
  /** The form was sent, so each field says what is wrong with it. */
  sent: boolean;
}

export const emptyPostForm: PostForm = {
  ...{ title: '', state: 'investigating', text: '', starts: '', ends: '', affects: [], sent: false },
};

export type PostFormEvent =
  | { type: 'typed'; field: 'title' | 'text' | 'starts' | 'ends'; value: string }
  | { type: 'state'; state: IncidentState }
  | { type: 'affected'; target: string; isAffected: boolean }
  | { type: 'sent' };

export function postForm(form: PostForm, event: PostFormEvent): PostForm {
  switch (event.type) {
    case 'typed':
      return { ...form, [event.field]: event.value };
    case 'state':
      return { ...form, state: event.state };
    case 'affected': {
      const others = form.affects.filter((target) => target !== event.target);
      return { ...form, affects: event.isAffected ? [...others, event.target] : others };
    }
    case 'sent':
      return { ...form, sent: true };
  }
}

/** The post as it is sent. A time that cannot be read is sent as it was typed, and refused. */
export function postOf(kind: PostKind, { title, state, text, starts, ends, affects }: PostForm) {
  if (kind === 'incident') return { kind, title, state, text };
  return { kind, title, text, startsAt: moment(starts), endsAt: moment(ends), affects: [...affects] };
}

function moment(typed: string): string {
  const at = new Date(typed);
  return Number.isNaN(at.getTime()) ? typed : at.toISOString();
}

/** What the contract says of a time is for programs. */
export const timeProblem = (typed: string): string | undefined =>
  Number.isNaN(new Date(typed).getTime()) ? 'Enter a date and a time.' : undefined;
