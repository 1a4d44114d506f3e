import { expect, it } from 'vitest';
import { emptyTokenForm, scopesOf, tokenForm, tokenProblems } from './token-form.ts';

it('gives each opened area its level, and closes it again', () => {
  const opened = tokenForm(emptyTokenForm, { type: 'opened', area: 'apps', level: 'write' });
  const two = tokenForm(opened, { type: 'opened', area: 'stats', level: 'read' });
  expect(scopesOf(two)).toEqual(['apps:write', 'stats:read']);
  expect(scopesOf(tokenForm(two, { type: 'opened', area: 'apps', level: 'none' }))).toEqual(['stats:read']);
});

it('needs a name and an area', () => {
  expect(tokenProblems(emptyTokenForm)).toEqual({
    name: 'Enter a name.',
    scopes: 'Choose at least one area.',
  });
  const named = tokenForm(emptyTokenForm, { type: 'named', name: 'backup' });
  expect(tokenProblems(tokenForm(named, { type: 'opened', area: 'keys', level: 'read' }))).toEqual({});
});

it('asks for no level that the kind does not have, and takes it up again with the kind', () => {
  const program = tokenForm(emptyTokenForm, { type: 'opened', area: 'apps', level: 'write' });
  const agent = tokenForm(program, { type: 'uses', kind: 'agent' });
  expect(scopesOf(agent)).toEqual(['apps:read']);
  expect(scopesOf(tokenForm(agent, { type: 'uses', kind: 'program' }))).toEqual(['apps:write']);
});

it('lets an agent propose, and a program with the same choice read', () => {
  const agent = tokenForm(emptyTokenForm, { type: 'uses', kind: 'agent' });
  const proposing = tokenForm(agent, { type: 'opened', area: 'apps', level: 'propose' });
  expect(scopesOf(proposing)).toEqual(['apps:read', 'apps:propose']);
  expect(scopesOf(tokenForm(proposing, { type: 'uses', kind: 'program' }))).toEqual(['apps:read']);
});
