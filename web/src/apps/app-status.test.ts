import { describe, expect, it } from 'vitest';
import { appStatus, openUrl } from './app-status.ts';

describe('the status of an app', () => {
  it('is paused when somebody stopped it, whatever was deployed', () => {
    expect(appStatus({ stopped: true, deployment: { status: 'failed', at: 1 } })).toBe('paused');
  });
  it('is running once a deploy succeeded, also while the next one runs or after it failed', () => {
    for (const status of ['succeeded', 'deploying', 'failed'] as const) {
      expect(appStatus({ stopped: false, deployment: { status, at: 1 } })).toBe('running');
    }
  });
  it('is running on a server that keeps no times of its deploys', () => {
    expect(appStatus({ stopped: false, deployment: { status: 'succeeded', at: null } })).toBe('running');
  });
  it('is neither running nor paused before the first deploy has succeeded', () => {
    for (const status of ['never', 'deploying', 'failed'] as const) {
      expect(appStatus({ stopped: false, deployment: { status, at: null } })).toBe('undeployed');
    }
  });
});

describe('the open link', () => {
  it('is absent while the app is stopped', () => {
    expect(openUrl({ stopped: true, url: 'http://a.example' })).toBeNull();
    expect(openUrl({ stopped: false, url: 'http://a.example' })).toBe('http://a.example');
  });

  it('is absent when the server reports no web address', () => {
    for (const url of ['javascript:alert(1)', 'a.example', '']) {
      expect(openUrl({ stopped: false, url })).toBeNull();
    }
  });
});
