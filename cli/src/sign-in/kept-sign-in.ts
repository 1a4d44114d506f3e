import { z } from 'zod';
import { readOwnFile, writeOwnFile } from './own-file.ts';
import type { Places } from './places.ts';

const configSchema = z.object({
  console: z.string(),
  /** The person agreed to http for this very address. */
  plainHttp: z.boolean().default(false),
});
const tokensSchema = z.record(z.string(), z.string());
/** Tokens by the origin for which they are: those of the terminal itself, and those that coding agents on this machine use. */
const credentialsSchema = z.object({ tokens: tokensSchema, agents: tokensSchema.default({}) });

/** Who uses a kept token. */
export type TokenUse = 'terminal' | 'agent';

const kindOf = { terminal: 'tokens', agent: 'agents' } as const;

/** The console of the last `login`. null: none. */
export const keptConsole = ({ config }: Places) => readOwnFile(config, configSchema, { isSecret: false });

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
  await writeOwnFile(places.config, { console: origin, plainHttp });
}

/** Forgets the tokens for a console, also the one of a coding agent. Returns whether there was one. */
export async function forgetTokens(places: Places, origin: string): Promise<boolean> {
  const kept = await readOwnFile(places.credentials, credentialsSchema, { isSecret: true });
  if (!kept || !(Object.hasOwn(kept.tokens, origin) || Object.hasOwn(kept.agents, origin))) return false;
  const { [origin]: _own, ...tokens } = kept.tokens;
  const { [origin]: _agents, ...agents } = kept.agents;
  await writeTokens(places, { tokens, agents });
  return true;
}

const writeTokens = (
  { credentials }: Places,
  { tokens, agents }: z.output<typeof credentialsSchema>,
): Promise<void> => writeOwnFile(credentials, { tokens, ...(Object.keys(agents).length > 0 && { agents }) });
