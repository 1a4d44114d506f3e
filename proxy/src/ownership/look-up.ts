import { Resolver } from 'node:dns/promises';

/** What DNS says of a name. A record type that the name does not have is an empty list; an error means that nobody answered. */
export type LookUp = {
  cname(name: string): Promise<string[]>;
  addresses(name: string): Promise<string[]>;
  txt(name: string): Promise<string[]>;
};

const absent: ReadonlySet<string> = new Set(['ENODATA', 'ENOTFOUND']);

/** Asks these DNS servers, or those of the system where none are named. */
export function askDns(withinMs: number, servers: readonly string[]): LookUp {
  const resolver = new Resolver({ timeout: withinMs, tries: 1 });
  if (servers.length > 0) resolver.setServers(servers);
  return {
    cname: (name) => orNone(resolver.resolveCname(name)),
    async addresses(name) {
      const found = await Promise.all([orNone(resolver.resolve4(name)), orNone(resolver.resolve6(name))]);
      return found.flat();
    },
    async txt(name) {
      const records = await orNone(resolver.resolveTxt(name));
      return records.map((parts) => parts.join(''));
    },
  };
}

async function orNone<T>(asked: Promise<T[]>): Promise<T[]> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Error && 'code' in error && absent.has(String(error.code))) return [];
    throw error;
  }
}
