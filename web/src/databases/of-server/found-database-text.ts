import { databaseStatus, databaseStatusText } from '@homeport/contract/databases/health';
import type { FoundDatabase } from '@homeport/contract/databases/schema';
import { databaseTypeOf } from '@homeport/contract/databases/types/database-types';

const shownApps = 5;

/** "PostgreSQL · Online · read by shop, blog" */
export function foundDatabaseText({ type, state, apps }: Omit<FoundDatabase, 'longname'>): string {
  const shown = apps.slice(0, shownApps);
  const more = apps.length - shown.length;
  return [
    databaseTypeOf(type).title,
    databaseStatusText(databaseStatus({ state, stopped: false }, undefined)),
    apps.length === 0 ? 'no app linked' : `read by ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
  ].join(' · ');
}

/** Tells two databases apart that have the same name and differ in type. */
export const foundKey = ({ type, longname }: Pick<FoundDatabase, 'type' | 'longname'>): string =>
  `${type} ${longname}`;
