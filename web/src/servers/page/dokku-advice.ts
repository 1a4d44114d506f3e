/** The oldest Dokku that Homeport works with, and the oldest that it recommends. */
const oldest = '0.35.0';
const recommended = '0.38.27';

export interface DokkuAdvice {
  tone: 'warn' | 'info';
  text: string;
  /** Upgrades it; run on the server as root. */
  command: string;
}

/** What to say about a server's Dokku; null where there is nothing. */
export function dokkuAdvice(version: string | null): DokkuAdvice | null {
  if (version === null || isAtLeast(version, recommended)) return null;
  const command = `wget -qO bootstrap.sh https://dokku.com/install/v${recommended}/bootstrap.sh && sudo DOKKU_TAG=v${recommended} bash bootstrap.sh`;
  if (!isAtLeast(version, oldest))
    return {
      tone: 'warn',
      text: `Dokku ${version} is older than ${oldest}, the oldest that Homeport works with. Apps cannot be relied on until it is upgraded.`,
      command,
    };
  return {
    tone: 'info',
    text: `Dokku ${version} works. Version ${recommended} or later is recommended: it shows the history of deploys and mends faults of older ones.`,
    command,
  };
}

/** Compares the numbers of `0.38.27` one by one. */
function isAtLeast(version: string, floor: string): boolean {
  const numbers = version.split('.').map(Number);
  for (const [place, wanted] of floor.split('.').map(Number).entries()) {
    const given = numbers[place] ?? 0;
    if (given !== wanted) return given > wanted;
  }
  return true;
}
