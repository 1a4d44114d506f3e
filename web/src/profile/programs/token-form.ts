import { nameProblem } from '@homeport/contract/fields/facts';
import {
  rulesOfKind,
  type TokenArea,
  type TokenKind,
  type TokenLevel,
  type TokenScope,
  tokenAreas,
  tokenDays,
} from '@homeport/contract/tokens/facts';

export interface TokenForm {
  kind: TokenKind;
  name: string;
  days: number;
  /** An area without a level is closed to the token. */
  levels: Partial<Record<TokenArea, TokenLevel>>;
  /** The form was sent, so each field says what is wrong with it. */
  sent: boolean;
}

export const emptyTokenForm: TokenForm = {
  kind: 'program',
  name: '',
  days: tokenDays.usual,
  levels: {},
  sent: false,
};

export type TokenFormEvent =
  | { type: 'uses'; kind: TokenKind }
  | { type: 'named'; name: string }
  | { type: 'lives'; days: number }
  | { type: 'opened'; area: TokenArea; level: TokenLevel | 'none' }
  | { type: 'sent' };

export function tokenForm(form: TokenForm, event: TokenFormEvent): TokenForm {
  switch (event.type) {
    case 'uses':
      return { ...form, kind: event.kind };
    case 'named':
      return { ...form, name: event.name };
    case 'lives':
      return { ...form, days: event.days };
    case 'opened': {
      const { [event.area]: _, ...others } = form.levels;
      const levels = event.level === 'none' ? others : { ...others, [event.area]: event.level };
      return { ...form, levels };
    }
    case 'sent':
      return { ...form, sent: true };
  }
}

/** The level of an area as the form shows it: the one to read for a kind that does not have the chosen one. */
export function levelOf({ kind, levels }: TokenForm, area: TokenArea): TokenLevel | 'none' {
  const level = levels[area] ?? 'none';
  return level === 'none' || rulesOfKind[kind].levels.includes(level) ? level : 'read';
}

/** The scopes that the form asks for. Each other level includes the one to read. */
export function scopesOf(form: TokenForm): TokenScope[] {
  return tokenAreas.flatMap((area): TokenScope[] => {
    const level = levelOf(form, area);
    if (level === 'none') return [];
    // Beside the one that it includes, for a console that is set back to an older version.
    return level === 'propose' ? [`${area}:read`, `${area}:propose`] : [`${area}:${level}`];
  });
}

/** What is wrong with each field before the form is sent. */
export function tokenProblems(form: TokenForm): { name?: string; scopes?: string } {
  const name = nameProblem(form.name);
  return {
    ...(name !== null && { name }),
    ...(scopesOf(form).length === 0 && { scopes: 'Choose at least one area.' }),
  };
}
