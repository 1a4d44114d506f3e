import type { StatusComponent } from '@homeport/contract/status-pages/schema';
import { useApi } from '../../data/use-api.ts';
import { pageLocale } from '../../ui/text/locale.ts';

/** What a component can be: an app, or a proxied domain. */
export interface Source extends Pick<StatusComponent, 'kind' | 'target'> {
  /** For the person alone; readers never see it. */
  text: string;
}

/** The person's apps and proxied domains, by their text. */
export function useSources() {
  const apps = useApi('GET /api/apps');
  const proxies = useApi('GET /api/proxies');
  const sources: readonly Source[] = [
    ...(apps.data ?? []).map(({ id, name, serverName }) => ({
      ...{ kind: 'app' as const, target: id, text: `App ${name} on ${serverName}` },
    })),
    ...(proxies.data ?? []).map(({ id, domain }) => ({
      ...{ kind: 'proxy' as const, target: id, text: `Domain ${domain}` },
    })),
  ];
  const texts = new Map(sources.map(({ target, text }) => [target, text]));
  return {
    sources: sources.toSorted((one, other) => one.text.localeCompare(other.text, pageLocale)),
    error: apps.error ?? proxies.error,
    isPending: apps.isPending || proxies.isPending,
    textOf: (kind: StatusComponent['kind'], target: string) =>
      texts.get(target) ?? (kind === 'app' ? 'An app' : 'A domain'),
  };
}
