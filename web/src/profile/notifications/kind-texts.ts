import type { AddedKind } from '@homeport/contract/destinations/facts';
import type { Target } from '@homeport/contract/destinations/schema';

export interface TargetField {
  name: string;
  label: string;
  help: string;
  placeholder?: string;
  optional?: true;
}

export interface KindTexts {
  label: string;
  /** Where the address comes from. */
  what: string;
  fields: readonly TargetField[];
  target: (values: Readonly<Record<string, string>>) => Target;
}

export const kindTexts: Record<AddedKind, KindTexts> = {
  webhook: {
    label: 'Webhook',
    what: 'A program of yours gets each piece of news as signed JSON.',
    fields: [
      {
        name: 'url',
        label: 'Address',
        help: 'The web address that takes the messages. It is kept encrypted and not shown again.',
        placeholder: 'https://hooks.example.com/homeport',
      },
    ],
    target: ({ url = '' }) => ({ kind: 'webhook', url }),
  },
};
