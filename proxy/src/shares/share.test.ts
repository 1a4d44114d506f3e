import { expect, it } from 'vitest';
import { planeLimits } from '../limits.ts';
import { boundByOpenFiles, openFilesAtMost } from './open-files.ts';
import { Share } from './share.ts';

const endless = Number.POSITIVE_INFINITY;
const site = (id: string, owner: string) => ({ id, owner });
const fill = (share: Share, of: { id: string; owner: string }, visitor: string | null = null) => {
  let entered = 0;
  while (share.enter(of, visitor) === null) entered += 1;
  return entered;
};

it('gives one account at most half, and each further one as much as stays free', () => {
  const share = new Share({ most: 1_200, perSite: endless, perVisitor: endless });
  expect(fill(share, site('a', 'ada'))).toBe(600);
  expect(fill(share, site('b', 'bob'))).toBe(300);
  expect(fill(share, site('c', 'cy'))).toBe(150);
  expect(share.enter(site('a', 'ada'), null)).toBe('account');
  expect(share.open).toBe(1_050);
});

it('lets a site with nothing open in although its account is full, and an account in that has few', () => {
  const share = new Share({ most: 100, perSite: endless, perVisitor: endless });
  expect(fill(share, site('a', 'ada'))).toBe(50);
  expect(fill(share, site('b', 'ada'))).toBe(1);
  for (let index = 0; share.open < 100; index += 1) share.enter(site(`n${index}`, 'ada'), null);
  expect(fill(share, site('c', 'bob'))).toBe(16);
  for (let index = 0; index < 100; index += 1) share.enter(site(`more${index}`, 'ada'), null);
  expect(share.open).toBe(125);
});

it('bounds a site and a visitor, and has room again for what left', () => {
  const share = new Share({ most: 1_000, perSite: 10, perVisitor: 4 });
  expect(fill(share, site('a', 'ada'), 'v')).toBe(4);
  expect(share.enter(site('b', 'ada'), 'v')).toBe('visitor');
  expect(share.enter(site('a', 'ada'), 'w')).toBeNull();
  expect(fill(share, site('a', 'ada'))).toBe(5);
  expect(share.enter(site('a', 'ada'), null)).toBe('site');
  share.tidy();
  share.leave(site('a', 'ada'), 'v');
  expect(share.enter(site('a', 'ada'), 'v')).toBeNull();
  expect(share.enter(site('a', 'ada'), 'w')).toBe('site');
});

it('leaves half of what the process may open to nobody', () => {
  for (const openFiles of [256, 1_024, 20_000, 1_048_576]) {
    const { connections, sockets, upstreamOpen } = boundByOpenFiles(planeLimits, openFiles);
    expect(connections + sockets + upstreamOpen).toBeLessThanOrEqual(openFiles / 2);
    expect(sockets).toBeGreaterThan(0);
  }
  expect(boundByOpenFiles(planeLimits, endless)).toEqual(planeLimits);
  expect(openFilesAtMost()).toBeGreaterThan(0);
});
