import { describe, expect, it } from 'vitest';
import { defaultDomainPreview, neededWildcard, slugPreview } from './default-domain.ts';

const server = { subdomain: 'lantern', ip: '203.0.113.24' };

describe('the preview of the default domain', () => {
  it('ends with the shared suffix if there is one', () => {
    expect(defaultDomainPreview({ name: 'Ledger API', server, appDomain: 'homeport.example' })).toBe(
      'ledger-api-xxxxxx.lantern.homeport.example',
    );
  });
  it('resolves to the server by itself without a suffix', () => {
    expect(defaultDomainPreview({ name: 'ledger', server, appDomain: null })).toBe(
      'ledger-xxxxxx.203.0.113.24.sslip.io',
    );
    const local = { subdomain: 'lantern', ip: '127.0.0.1' };
    expect(defaultDomainPreview({ name: 'ledger', server: local, appDomain: null })).toBe(
      'ledger-xxxxxx.lantern.localhost',
    );
  });
  it('needs a record of the person’s own beneath the name of a server, and of the operator beneath the suffix', () => {
    const named = { subdomain: 'lantern', ip: 'vps.example.com' };
    expect(neededWildcard(named, null)).toBe('*.vps.example.com');
    expect(neededWildcard(named, 'a.example')).toBe('*.lantern.a.example');
    expect(neededWildcard(server, null)).toBeNull();
  });
  it('shows the form of the domain while no name is typed', () => {
    expect(defaultDomainPreview({ name: '', server, appDomain: 'a.example' })).toBe(
      'name-xxxxxx.lantern.a.example',
    );
  });
});

describe('the slug of a name', () => {
  it('drops accents, and turns everything else into single hyphens', () => {
    expect(slugPreview(' Éclair & Café!')).toBe('eclair-cafe');
  });
  it('is "app" for a name without a letter or digit, and empty without a name', () => {
    expect(slugPreview('🚢')).toBe('app');
    expect(slugPreview('  ')).toBe('');
  });
  it('stays short enough for the suffix', () => {
    expect(slugPreview('x'.repeat(80))).toHaveLength(33);
  });
});
