import { z } from 'zod';
import { readOwnFile, writeOwnFile } from './own-file.ts';
import type { Places } from './places.ts';

const addressSchema = z.object({
  console: z.string(),
  /** The person agreed to http for this very address. */
  plainHttp: z.boolean().default(false),
});
/** The console of the commands, and the one that coding agents read. */
const configSchema = z.object({
  console: z.string().optional(),
  plainHttp: z.boolean().optional(),
  agents: addressSchema.optional(),
});
const tokensSchema = z.record(z.string(), z.string());
/** Tokens by the origin for which they are: those of the terminal itself, and those that coding agents on this machine use. */
const credentialsSchema = z.object({ tokens: tokensSchema, agents: tokensSchema.default({}) });

/** Who uses a kept token. */
export type TokenUse = 'terminal' | 'agent';

const kindOf = { terminal: 'tokens', agent: 'agents' } as const;

/** The console of the last `login` for this use. null: none. */
export async function keptConsole(
  { config }: Places,
  as: TokenUse,
): Promise<z.output<typeof addressSchema> | null> {
  const kept = await readOwnFile(config, configSchema, { isSecret: false });
  return addressSchema.safeParse(as === 'agent' ? kept?.agents : kept).data ?? null;
}

export async function keptToken(
  { credentials }: Places,
  origin: string,
  as: TokenUse,
): Promise<string | null> {
  const kept = await readOwnFile(credentials, credentialsSchema, { isSecret: true });
  const tokens = kept?.[kindOf[as]] ?? {};
  return Object.hasOwn(tokens, origin) ? (tokens[origin] ?? null) : null;
}

export async function keepSignIn(
  places: Places,
  { origin, token, plainHttp, as }: { origin: string; token: string; plainHttp: boolean; as: TokenUse },
): Promise<void> {
  const kept = await readOwnFile(places.credentials, credentialsSchema, { isSecret: true });
  const { tokens = {}, agents = {} } = kept ?? {};
  const all = { tokens, agents };
  await writeTokens(places, { ...all, [kindOf[as]]: { ...all[kindOf[as]], [origin]: token } });
  const config = await readOwnFile(places.config, configSchema, { isSecret: false });
  const address = { console: origin, plainHttp };
  await writeOwnFile(
    places.config,
    as === 'agent' ? { ...config, agents: address } : { ...config, ...address },
  );
}

/** Whether there was a token. */
export async function forgetToken(places: Places, origin: string, as: TokenUse): Promise<boolean> {
  const kept = await readOwnFile(places.credentials, credentialsSchema, { isSecret: true });
  const known = kept?.[kindOf[as]] ?? {};
  if (!kept || !Object.hasOwn(known, origin)) return false;
  const { [origin]: _forgotten, ...others } = known;
  await writeTokens(places, { ...kept, [kindOf[as]]: others });
  return true;
}

const writeTokens = (
  { credentials }: Places,
  { tokens, agents }: z.output<typeof credentialsSchema>,
): Promise<void> => writeOwnFile(credentials, { tokens, ...(Object.keys(agents).length > 0 && { agents }) });
