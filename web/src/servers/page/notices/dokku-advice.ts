import {
  type DokkuFault,
  faultsOfDokku,
  isDokkuAtLeast,
  oldestDokku,
  recommendedDokku,
  tooOldDokku,
} from '@homeport/contract/servers/dokku-versions';

export interface DokkuAdvice {
  tone: 'warn' | 'info';
  text: string;
  /** The known faults of this version. */
  faults: readonly DokkuFault[];
  /** The command that upgrades Dokku. Root must run it on the server. */
  command: string;
}

/** The advice on a server's Dokku version. null without advice. */
export function dokkuAdvice(version: string | null): DokkuAdvice | null {
  if (version === null || isDokkuAtLeast(version, recommendedDokku)) return null;
  const command = `wget -qO bootstrap.sh https://dokku.com/install/v${recommendedDokku}/bootstrap.sh && sudo DOKKU_TAG=v${recommendedDokku} bash bootstrap.sh`;
  const faults = faultsOfDokku(version);
  if (!isDokkuAtLeast(version, oldestDokku))
    return {
      tone: 'warn',
      text: tooOldDokku(version),
      faults,
      command,
    };
  if (faults.length > 0)
    return {
      tone: 'warn',
      text: `Dokku ${version} has ${kindsOf(faults)} fixed in later versions. Upgrade it to ${recommendedDokku} or later.`,
      faults,
      command,
    };
  return {
    tone: 'info',
    text: `Dokku ${version} works. Version ${recommendedDokku} or later is recommended: it shows the history of deploys and fixes faults of older versions.`,
    faults,
    command,
  };
}

/** "2 known security holes and 1 fault that loses data" */
function kindsOf(faults: readonly DokkuFault[]): string {
  const holes = faults.filter(({ kind }) => kind === 'security').length;
  const losses = faults.length - holes;
  const parts = [
    ...(holes > 0 ? [`${holes} known security ${holes === 1 ? 'hole' : 'holes'}`] : []),
    ...(losses > 0 ? [`${losses} known ${losses === 1 ? 'fault that loses' : 'faults that lose'} data`] : []),
  ];
  return parts.join(' and ');
}
