import type { ServerTies } from '@homeport/contract/servers/schema';
import { describe, expect, it } from 'vitest';
import { movingTexts } from './moving-texts.ts';

const none: ServerTies = {
  globalDomain: '192.0.2.10.sslip.io',
  ...{ apps: [], deployments: [], exposed: [], proxies: [] },
};
const named = (name: string) => ({ id: name, name });
const server = { ip: '192.0.2.10', metal: false };

describe('what does not follow a server to another address', () => {
  it('are the git remotes alone where nothing else names it', () => {
    expect(movingTexts(server, none)).toEqual([expect.stringContaining('git remote set-url')]);
    expect(movingTexts({ ...server, metal: true }, none)).toEqual([]);
  });

  it('are domains that contain the address, and not those under a shared suffix', () => {
    const apps = [{ ...named('shop'), domains: ['shop.192.0.2.10.sslip.io'] }];
    expect(movingTexts(server, { ...none, apps })[0]).toContain(
      'Domains under 192.0.2.10.sslip.io, of shop, lead to the earlier address',
    );
    const shared = { ...none, globalDomain: 'quay.apps.example.com', apps };
    expect(movingTexts(server, shared)).toHaveLength(1);
  });

  it('is told with the names of all that need their person', () => {
    const many = Array.from({ length: 12 }, (_, at) => named(`app${at}`));
    const ties = { ...none, deployments: many, exposed: [named('orders')], proxies: [named('site')] };
    const [deployments, exposed, proxies] = movingTexts(server, ties);
    expect(deployments).toContain('app8, app9, and 2 more');
    expect(exposed).toContain('connect to orders need the new connection string');
    expect(proxies).toContain('site is a proxy that asks a website');
  });
});
