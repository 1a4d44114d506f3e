import type { DatabaseTypeName } from '@homeport/contract/databases/types/database-types';
import { appName, appNameSchema, config } from '@homeport/dokku';
import type { Run } from '../../remote/run-command.ts';
import { variableOf } from './plugin-state.ts';

/**
 * The variable of an app that holds a connection string. Null where none does, or where the server has no such app. The
 * values stay in this function.
 */
export async function readVariable(
  run: Run,
  type: DatabaseTypeName,
  dsn: string,
  app: string,
): Promise<string | null> {
  if (!appNameSchema.safeParse(app).success) return null;
  const ran = await run(config.exportAll(appName(app)), { accept: [0, 20], quiet: true });
  if (ran.exitCode !== 0) return null;
  const held = Object.entries(config.readExport(ran))
    .filter(([, value]) => value === dsn)
    .map(([key]) => key);
  return variableOf(type, held);
}
