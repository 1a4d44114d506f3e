import { createElement } from 'react';
import { expect, test } from 'vitest';
import { apiQuery } from '../data/api-query.ts';
import { shownAfterFailure } from '../data/failed-again-fixture.ts';
import { SignIn } from './SignIn.tsx';

test('a profile that cannot be read again is said once, though two sections show it', () => {
  const profile = { hasPassword: true, secondStep: false };
  const shown = shownAfterFailure([[apiQuery('GET /api/profile').queryKey, profile]], createElement(SignIn));
  expect(shown).toContain('Ask for a code of an authenticator app after the password.');
  expect(shown.split('Your profile could not be loaded again')).toHaveLength(2);
});
