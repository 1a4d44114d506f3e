import { expect, it } from 'vitest';
import { rewrittenValue } from './environment.ts';

it('shows Dokku’s form of integers that are written in an unusual way', () => {
  expect(['007', '+5', '-0', '-012'].map(rewrittenValue)).toEqual(['7', '5', '0', '-12']);
});

it('does not warn of values that Dokku keeps', () => {
  for (const value of ['7', '-5', '0', '1.50', '0x10', '01-02', '', '900719925474099301']) {
    expect(rewrittenValue(value)).toBeNull();
  }
});
