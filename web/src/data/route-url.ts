interface Parts {
  params?: unknown;
  query?: unknown;
}

const entriesOf = (part: unknown): [string, unknown][] =>
  typeof part === 'object' && part !== null ? Object.entries(part) : [];

/**
 * Turns `GET /api/servers/:id` with its params and query into a method and an address on the page's own
 * origin.
 */
export function routeUrl(key: string, { params, query }: Parts = {}): { method: string; url: string } {
  const [method = 'GET', pattern = ''] = key.split(' ');
  const values = new Map(entriesOf(params));
  const path = pattern.replace(/:([a-zA-Z]+)/g, (_found, name: string) => {
    const value = values.get(name);
    if (value === undefined) throw new TypeError(`The route ${key} needs the parameter ${name}.`);
    return encodeURIComponent(String(value));
  });
  const search = new URLSearchParams();
  for (const [name, value] of entriesOf(query)) {
    if (value !== undefined && value !== null) search.set(name, String(value));
  }
  const tail = search.size > 0 ? `?${search}` : '';
  return { method, url: path + tail };
}

/** The part of the address that names the topic: `servers` for `GET /api/servers/:id`. */
export function topicOf(key: string): string {
  const [, service, topic] = (key.split(' ')[1] ?? '').split('/');
  return service === 'monitor' ? 'stats' : (topic ?? '');
}
