import { ceilings, queuedPerLane, requestPace, transfersPerPerson } from '../limits.ts';
import type { Share } from './share.ts';

const refused = 'refused with the number; what is there stays';
const atCeilings = 'api/src/http/ceilings.test.ts';

/** What one account may hold of the console. */
export const accountShares: readonly Share[] = [
  kept('servers', 'api/src/servers/add-server.ts', atCeilings),
  kept('keys', 'api/src/credentials/add-key.ts', atCeilings),
  kept('apps', 'api/src/apps/changes/create-app.ts', atCeilings),
  kept('databases', 'api/src/databases/changes/create-database.ts', atCeilings),
  kept('proxies', 'api/src/proxies/add-proxy.ts', atCeilings),
  kept('invitations', 'api/src/identity/invitations.ts', atCeilings),
  kept('tokens', 'api/src/tokens/make-token.ts', atCeilings),
  kept('passkeys', 'api/src/passkeys/add-passkey.ts', atCeilings),
  {
    ...{ what: 'operations that are queued, run or wait', number: ceilings.operations, of: 'account' },
    ...{ heldIn: 'api/src/operations/lane-room.ts', beyond: refused, test: atCeilings },
    setting: 'HOMEPORT_MAX_OPERATIONS_PER_PERSON',
  },
  {
    ...{ what: 'operations that wait for one app or server', number: queuedPerLane, of: 'account' },
    ...{ heldIn: 'api/src/operations/lane-room.ts', beyond: refused, test: atCeilings },
  },
  {
    ...{ what: 'files that are sent or fetched at once', number: transfersPerPerson, of: 'account' },
    ...{ heldIn: 'api/src/http/mount.ts', beyond: refused, test: 'api/src/databases/dumps/dumps.test.ts' },
  },
  {
    ...{ what: 'requests a second, after a burst', number: requestPace.perSecond, of: 'account' },
    heldIn: 'api/src/http/admission.ts',
    beyond: 'waits for up to 5 s, then 429',
    test: 'api/src/http/admission.test.ts',
  },
];

type Kept = 'servers' | 'keys' | 'apps' | 'databases' | 'proxies' | 'invitations' | 'tokens' | 'passkeys';

function kept(what: Kept, heldIn: string, test: string): Share {
  const setting = `HOMEPORT_MAX_${what.toUpperCase()}_PER_PERSON`;
  return { what, number: ceilings[what], of: 'account', heldIn, beyond: refused, test, setting };
}
