import {
  type SiteField,
  siteDefaults,
  siteFields,
  siteValueCharacters,
} from '@homeport/contract/apps/site/facts';
import type { Site } from '@homeport/contract/apps/site/schema';
import { oneLine } from '../output.ts';

export type SiteValues = Omit<Site, 'ownTemplate'>;

/** Dokku's own names. */
export const siteProperties: Readonly<Record<SiteField, string>> = {
  uploadLimit: 'client-max-body-size',
  answerTimeout: 'proxy-read-timeout',
  hsts: 'hsts',
  hstsSeconds: 'hsts-max-age',
  hstsSubdomains: 'hsts-include-subdomains',
};

/** From the properties of the app and of the server, each empty where nothing is set. */
export function siteValuesOf(
  own: (property: string) => string,
  server: (property: string) => string,
): SiteValues {
  const of = (field: SiteField) => {
    const property = siteProperties[field];
    return {
      set: shown(own(property)) || null,
      otherwise: shown(server(property)) || siteDefaults[field],
    };
  };
  const [uploadLimit, answerTimeout, hsts, hstsSeconds, hstsSubdomains] = siteFields;
  return {
    uploadLimit: of(uploadLimit),
    answerTimeout: of(answerTimeout),
    hsts: of(hsts),
    hstsSeconds: of(hstsSeconds),
    hstsSubdomains: of(hstsSubdomains),
  };
}

const shown = (value: string) => oneLine(value.trim(), siteValueCharacters);
