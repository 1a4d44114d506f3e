import type { AddedKind } from '@homeport/contract/destinations/facts';
import type { Target } from '@homeport/contract/destinations/schema';
import { nameProblem } from '@homeport/contract/fields/facts';
import { kindTexts } from './kind-texts.ts';

export interface DestinationForm {
  kind: AddedKind;
  name: string;
  /** The fields of the target. */
  values: Readonly<Record<string, string>>;
  /** The form was sent, so each field says what is wrong with it. */
  sent: boolean;
}

export const emptyDestinationForm: DestinationForm = { kind: 'webhook', name: '', values: {}, sent: false };

export type DestinationFormEvent =
  | { type: 'chosen'; kind: AddedKind }
  | { type: 'named'; name: string }
  | { type: 'typed'; field: string; value: string }
  | { type: 'sent' };

export function destinationForm(form: DestinationForm, event: DestinationFormEvent): DestinationForm {
  switch (event.type) {
    case 'chosen':
      // What was typed for one service is nothing for another.
      return { ...form, kind: event.kind, values: {}, sent: false };
    case 'named':
      return { ...form, name: event.name };
    case 'typed':
      return { ...form, values: { ...form.values, [event.field]: event.value } };
    case 'sent':
      return { ...form, sent: true };
  }
}

export const targetOf = ({ kind, values }: DestinationForm): Target =>
  kindTexts[kind].target(
    Object.fromEntries(Object.entries(values).map(([field, value]) => [field, value.trim()])),
  );

/** Whether nothing was typed for the target, so that an edit keeps the present one. */
export const keepsTarget = ({ values }: DestinationForm) =>
  Object.values(values).every((value) => value.trim() === '');

/** What is wrong with each field before the form is sent; `name` and the fields of the target. */
export function destinationProblems(form: DestinationForm): Readonly<Record<string, string>> {
  const name = nameProblem(form.name);
  return { ...(name !== null && { name }), ...targetProblems(form) };
}

export function targetProblems(form: DestinationForm): Readonly<Record<string, string>> {
  const problems: Record<string, string> = {};
  for (const { name, label, optional, problemOf } of kindTexts[form.kind].fields) {
    const value = form.values[name]?.trim() ?? '';
    if (value === '' && !optional) problems[name] = `Enter the ${label.toLowerCase()}.`;
    else if (value !== '') {
      const problem = problemOf?.(value) ?? null;
      if (problem !== null) problems[name] = problem;
    }
  }
  return problems;
}
