import { accountShares } from './accounts.ts';
import { planeShares } from './plane.ts';
import { ruleShares } from './rules.ts';
import type { Share } from './share.ts';

/** Every share of the console and of the proxy service. docs/configuration.md and SECURITY.md show it. */
export const shares: readonly Share[] = [...accountShares, ...ruleShares, ...planeShares];
