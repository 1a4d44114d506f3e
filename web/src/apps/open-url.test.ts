import { describe, expect, it } from 'vitest';
import { openUrl } from './open-url.ts';

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
