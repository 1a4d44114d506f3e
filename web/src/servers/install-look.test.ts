import type { Operation } from '@homeport/contract/operations/schema';
import { describe, expect, it } from 'vitest';
import { installLook, titleOf } from './install-look.ts';

const at = (state: Operation['state'], key: string, stepState: 'running' | 'failed' | 'done' = 'running') =>
  ({
    state,
    percent: 28,
    steps: [
      { key: 'dokku', title: 'Installing Dokku', state: 'waiting' },
      { key, title: 'now', state: stepState },
    ],
  }) as unknown as Operation;

describe('the title of an installation', () => {
  it('says that the installation goes on, also while it waits', () => {
    expect(titleOf(at('running', 'agent'))).toBe('Installing..');
    expect(titleOf(at('waiting', 'agent'))).toBe('Installing..');
  });

  it('says how an installation ended that nobody goes on with', () => {
    expect(titleOf(at('interrupted', 'agent'))).toBe('The installation was interrupted');
    expect(titleOf(at('cancelled', 'agent'))).toBe('The installation was cancelled');
  });

  it('says that the installation is complete', () => {
    expect(titleOf(at('succeeded', 'finish', 'done'))).toBe('Setup Completed!');
  });

  it('names the failure in the words of the specification', () => {
    expect(titleOf(at('failed', 'agent', 'failed'))).toBe('Monitoring Installation failed');
    expect(titleOf(at('failed', 'dokku-x', 'failed'))).toBe('The installation stopped');
    expect(titleOf(at('failed', 'plugins', 'failed'))).toBe('Server Bootstrap failed');
  });
});

it('marks where Dokku begins only where Dokku is installed', () => {
  const labels = (operation: Operation) =>
    installLook.progressOf?.(operation).ticks?.map((tick) => tick.label);
  expect(labels(at('running', 'agent'))).toEqual(['Monitoring', 'Dokku', 'Bootstrapped', 'Ready']);
  const stepsOf = (...keys: string[]) =>
    ({ ...at('running', 'agent'), steps: keys.map((key) => ({ key })) }) as unknown as Operation;
  const metal = stepsOf('verify', 'agent', 'configure');
  expect(labels(metal)).toEqual(['Monitoring', 'Bootstrapped', 'Ready']);
  expect(labels(stepsOf('verify', 'dokku', 'plugins'))).toEqual(['Dokku', 'Bootstrapped', 'Ready']);
});
