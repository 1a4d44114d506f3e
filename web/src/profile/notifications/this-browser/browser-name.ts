const browsers = [
  ['Edg', 'Edge'],
  ['OPR', 'Opera'],
  ['SamsungBrowser', 'Samsung Internet'],
  ['Firefox', 'Firefox'],
  ['FxiOS', 'Firefox'],
  ['CriOS', 'Chrome'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const;

const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const;

/** How a person knows the browser again in a list: "Firefox on Android". Browsers claim to be others, so the order decides. */
export function browserName(userAgent: string): string {
  const browser = browsers.find(([mark]) => userAgent.includes(`${mark}/`))?.[1] ?? 'Browser';
  const system = systems.find(([mark]) => userAgent.includes(mark))?.[1];
  return system === undefined ? browser : `${browser} on ${system}`;
}
