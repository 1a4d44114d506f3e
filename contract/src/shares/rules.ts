import { proxyLimits } from '../proxies/facts.ts';
import type { Share } from './share.ts';

/** What the rules of proxied domains may cost. */
export const ruleShares: readonly Share[] = [
  {
    ...{ what: 'rules', number: proxyLimits.rules, of: 'proxy' },
    ...{ heldIn: 'api/src/proxies/change-rules.ts', beyond: 'refused with the number' },
    test: 'api/src/proxies/proxies.test.ts',
  },
];
