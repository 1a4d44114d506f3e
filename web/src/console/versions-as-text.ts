import type { ConsoleFacts } from '@homeport/contract/console/schema';

/** One line for a report of a fault. */
export function versionsAsText({ version, commit, node, postgres, data }: ConsoleFacts): string {
  const homeport = commit === null ? version : `${version} (${commit})`;
  return `Homeport ${homeport}, Node ${node}, PostgreSQL ${postgres.version} ${postgres.embedded ? 'embedded' : 'by DATABASE_URL'}, schema ${data.schema}`;
}
