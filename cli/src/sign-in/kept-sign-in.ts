import { z } from 'zod';
import { readOwnFile, writeOwnFile } from './own-file.ts';
import type { Places } from './places.ts';

const configSchema = z.object({
  console: z.string(),
  /** The person agreed to http for this very address. */
  plainHttp: z.boolean().default(false),
});
/** Tokens by the origin for which they are. */
const credentialsSchema = z.object({ tokens: z.record(z.string(), z.string()) });

/** The console of the last `login`. null: none. */
export const keptConsole = ({ config }: Places) => readOwnFile(config, configSchema, { isSecret: false });

export async function keptToken({ credentials }: Places, origin: string): Promise<string | null> {
  const kept = await readOwnFile(credentials, credentialsSchema, { isSecret: true });
  return kept && Object.hasOwn(kept.tokens, origin) ? (kept.tokens[origin] ?? null) : null;
}

export async function keepSignIn(
  places: Places,
  { origin, token, plainHttp }: { origin: string; token: string; plainHttp: boolean },
): Promise<void> {
  const kept = await readOwnFile(places.credentials, credentialsSchema, { isSecret: true });
  await writeOwnFile(places.credentials, { tokens: { ...kept?.tokens, [origin]: token } });
  await writeOwnFile(places.config, { console: origin, plainHttp });
}

/** Whether there was a token. */
export async function forgetToken(places: Places, origin: string): Promise<boolean> {
  const kept = await readOwnFile(places.credentials, credentialsSchema, { isSecret: true });
  if (!kept || !Object.hasOwn(kept.tokens, origin)) return false;
  const { [origin]: _forgotten, ...tokens } = kept.tokens;
  await writeOwnFile(places.credentials, { tokens });
  return true;
}
