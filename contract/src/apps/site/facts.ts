/** What the page changes of how nginx serves an app. */
export const siteFields = ['uploadLimit', 'answerTimeout', 'hsts', 'hstsSeconds', 'hstsSubdomains'] as const;
export type SiteField = (typeof siteFields)[number];

/** What Dokku 0.38 does where neither the app nor the server sets a value (its plugin `nginx-vhosts`). */
export const siteDefaults: Readonly<Record<SiteField, string>> = {
  uploadLimit: '1m',
  answerTimeout: '60s',
  hsts: 'true',
  hstsSeconds: '15724800',
  hstsSubdomains: 'true',
};

/** So much of a value is shown that somebody set on the server. Dokku takes any text. */
export const siteValueCharacters = 64;

const uploadGibibytesAtMost = 100;
const answerHoursAtMost = 24;
const hstsSecondsAtMost = 63_072_000;

/** Bytes by the letter behind the number, as nginx counts them. */
const sizes: Readonly<Record<string, number>> = { '': 1, k: 1_024, m: 1_024 ** 2, g: 1_024 ** 3 };
const times: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3_600 };

/** In bytes; 0: no limit. Null for another text than a number with k, m, g or nothing behind it. */
export function uploadBytes(text: string): number | null {
  const [, count = '', unit = ''] = /^(\d{1,12})([kmg]?)$/.exec(text) ?? [];
  return count === '' ? null : Number(count) * (sizes[unit] ?? 0);
}

/** Null for another text than a number with ms, s, m or h behind it. */
export function answerSeconds(text: string): number | null {
  const [, count = '', unit = ''] = /^(\d{1,8})(ms|s|m|h)$/.exec(text) ?? [];
  return count === '' ? null : Number(count) * (times[unit] ?? 0);
}

export function hstsSeconds(text: string): number | null {
  return /^\d{1,8}$/.test(text) ? Number(text) : null;
}

/** As people are told a time of HSTS. */
export const wholeDays = (seconds: number): number => Math.floor(seconds / 86_400);

const within = (value: number | null, least: number, most: number) =>
  value !== null && value >= least && value <= most;
const isSwitch = (text: string) => text === 'true' || text === 'false';

const rules: Readonly<Record<SiteField, readonly [(text: string) => boolean, string]>> = {
  uploadLimit: [
    (text) => within(uploadBytes(text), 0, uploadGibibytesAtMost * 1_024 ** 3),
    `Enter a size such as 500k, 50m or 2g, at most ${uploadGibibytesAtMost}g, or 0 for no limit.`,
  ],
  answerTimeout: [
    (text) => within(answerSeconds(text), 1, answerHoursAtMost * 3_600),
    `Enter a time such as 120s, 5m or 1h, from 1s to ${answerHoursAtMost}h.`,
  ],
  hsts: [isSwitch, 'HSTS is true or false.'],
  hstsSeconds: [
    (text) => within(hstsSeconds(text), 0, hstsSecondsAtMost),
    `Enter whole seconds from 0 to ${hstsSecondsAtMost}, which are two years.`,
  ],
  hstsSubdomains: [isSwitch, 'Subdomains are true or false.'],
};

/** Why nginx does not get this value; null: it does. Every value that passes is one that nginx takes. */
export function siteValueProblem(field: SiteField, text: string): string | null {
  const [fits, refusal] = rules[field];
  return fits(text) ? null : refusal;
}
