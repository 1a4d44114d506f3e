import { describe, expect, it } from 'vitest';
import { routeUrl, topicOf } from './route-url.ts';

describe('the address of a route', () => {
  it('fills in params, each as one segment', () => {
    expect(routeUrl('GET /api/servers/:id', { params: { id: 'a/b c' } })).toEqual({
      method: 'GET',
      url: '/api/servers/a%2Fb%20c',
    });
  });
  it('appends the query without what is absent', () => {
    expect(
      routeUrl('GET /api/operations', { query: { serverId: 'x', appId: undefined, active: true } }).url,
    ).toBe('/api/operations?serverId=x&active=true');
  });
  it('refuses a missing param', () => {
    expect(() => routeUrl('DELETE /api/keys/:id')).toThrow(TypeError);
  });
});

describe('the topic of a route', () => {
  it('is what the live changes name', () => {
    expect(topicOf('GET /api/servers/:id')).toBe('servers');
    expect(topicOf('GET /api/keys')).toBe('keys');
    expect(topicOf('GET /monitor/dumps')).toBe('stats');
  });
});
