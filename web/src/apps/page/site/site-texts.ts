import {
  answerSeconds,
  hstsSeconds,
  type SiteField,
  siteFields,
  uploadBytes,
  wholeDays,
} from '@homeport/contract/apps/site/facts';
import type { Site } from '@homeport/contract/apps/site/schema';

/** What holds: the app’s own value, or else that of the server. */
export const inForce = (site: Site, field: SiteField): string => site[field].set ?? site[field].otherwise;

export const valuesInForce = (site: Site): Record<SiteField, string> =>
  Object.fromEntries(siteFields.map((field) => [field, inForce(site, field)])) as Record<SiteField, string>;

/** Dokku sends the header unless it reads `false`, and names subdomains only where it reads `true`. */
export const sendsHsts = (value: string): boolean => value !== 'false';
export const namesSubdomains = (value: string): boolean => value === 'true';

const unitNames: Readonly<Record<string, string>> = { k: 'KiB', m: 'MiB', g: 'GiB' };

/** “50 MiB”; a text that Homeport does not read as it is. */
export function uploadText(text: string): string {
  const bytes = uploadBytes(text);
  if (bytes === null) return text;
  if (bytes === 0) return 'any size';
  const unit = unitNames[text.slice(-1)];
  return unit ? `${text.slice(0, -1)} ${unit}` : `${text} bytes`;
}

/** “120 s”, “5 min” */
export function answerText(text: string): string {
  if (answerSeconds(text) === null) return text;
  return text.replace(/^(\d+)(ms|s|m|h)$/, (_, count, unit) => `${count} ${unit === 'm' ? 'min' : unit}`);
}

/** “182 days”, “300 s” */
export function hstsTimeText(text: string): string {
  const seconds = hstsSeconds(text);
  if (seconds === null) return text;
  const days = wholeDays(seconds);
  return days === 0 ? `${seconds} s` : days === 1 ? '1 day' : `${days} days`;
}

/** The line of the section. HSTS is sent over HTTPS alone. */
export function siteText(site: Site, https: boolean): string {
  const values = valuesInForce(site);
  const hsts = !https
    ? 'no HSTS without HTTPS'
    : sendsHsts(values.hsts)
      ? `HSTS for ${hstsTimeText(values.hstsSeconds)}${namesSubdomains(values.hstsSubdomains) ? ' with subdomains' : ''}`
      : 'no HSTS';
  const own = site.ownTemplate ? ' The app has its own nginx.conf.sigil, so most of it does nothing.' : '';
  return `Uploads up to ${uploadText(values.uploadLimit)}, answers within ${answerText(values.answerTimeout)}, ${hsts}.${own}`;
}

/** What browsers will remember; empty where the header is not sent. */
export function hstsWarnings(
  values: Record<SiteField, string>,
  { domains, https }: { domains: readonly string[]; https: boolean },
): string[] {
  if (!sendsHsts(values.hsts)) return [];
  const names = domains.length === 0 ? 'the app’s domains' : domains.join(', ');
  const time = hstsTimeText(values.hstsSeconds);
  const subdomains = namesSubdomains(values.hstsSubdomains)
    ? [
        `With subdomains that holds for every name below ${names} too, on whatever server it is. Leave them out for a domain such as example.com while any of its names has no HTTPS.`,
      ]
    : [];
  return [
    `A browser that comes over HTTPS asks for ${names} over HTTPS alone from then on, for ${time} after each visit. Switching HSTS off makes no browser forget; 0 seconds do, at its next visit.`,
    ...subdomains,
    ...(https ? [] : ['It is sent once HTTPS is enabled.']),
  ];
}
