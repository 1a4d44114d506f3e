import type { FlatHeaders } from '../response/response-headers.ts';
import type { Recorder } from '../upstream/pass-on.ts';
import type { Visit } from '../visit.ts';

/** A change of a resource makes what is kept of it untrue (RFC 9111, 4.4). */
export function forgetChanged({ req }: Visit, key: string, forget: (address: string) => void): Recorder {
  const nothing = () => undefined;
  return {
    head(status, headers) {
      if (status >= 400 || req.method === 'OPTIONS') return [];
      const base = key.slice(0, key.indexOf('/', 8));
      for (const address of [key, ...addressesIn(headers, key)])
        if (address.startsWith(`${base}/`)) forget(address);
      return [];
    },
    ...{ write: nothing, end: nothing, drop: nothing },
  };
}

function addressesIn(headers: FlatHeaders, key: string): string[] {
  const found: string[] = [];
  for (let index = 0; index < headers.length; index += 2) {
    const [name, value = ''] = [headers[index], headers[index + 1]];
    if ((name === 'location' || name === 'content-location') && URL.canParse(value, key))
      found.push(new URL(value, key).href);
  }
  return found;
}
