import { randomBytes } from 'node:crypto';
import {
  type CloudflareStandIn,
  type Exchange,
  startCloudflareStandIn,
} from '@homeport/stand-ins/cloudflare';
import { holdAgainstDocument } from '@homeport/stand-ins/testing';
import { bodyOf, startTestApi, type TestApi, type TestPerson } from '../../http/testing.ts';

export type CloudflareConsole = {
  api: TestApi;
  ines: TestPerson;
  cloudflare: CloudflareStandIn;
  /** What Cloudflare was asked so far. */
  exchanges: Exchange[];
  [Symbol.asyncDispose](): Promise<void>;
};

/** A token of the new form, which nobody else has. */
export const newToken = () => `cfut_${randomBytes(24).toString('hex')}`;

/**
 * A console whose Cloudflare is the stand-in. At the end, every exchange with it has to fit Cloudflare's OpenAPI document: one that
 * does not is an error of the test.
 */
export async function startCloudflareConsole(
  changes: Parameters<typeof startTestApi>[0] = {},
  given: Parameters<typeof startTestApi>[1] = {},
): Promise<CloudflareConsole> {
  const exchanges: Exchange[] = [];
  const cloudflare = await startCloudflareStandIn({ onExchange: (exchange) => exchanges.push(exchange) });
  const api = await startTestApi({ cloudflareUrl: cloudflare.url, ...changes }, given);
  const ines = await api.signUp('ines');
  return {
    api,
    ines,
    cloudflare,
    exchanges,
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      await cloudflare.close();
      const problems = exchanges.flatMap(holdAgainstDocument());
      if (problems.length > 0)
        throw new Error(`Cloudflare's document refuses: ${[...new Set(problems)].join('\n')}`);
    },
  };
}

/** Gives the person a token for the zones, and links it. */
export async function linkToken(
  { cloudflare }: Pick<CloudflareConsole, 'cloudflare'>,
  person: TestPerson,
  grant: Partial<Parameters<CloudflareStandIn['grant']>[0]> = {},
): Promise<string> {
  const secret = newToken();
  cloudflare.grant({ secret, zones: 'all', ...grant });
  bodyOf(await person.call('PUT /api/cloudflare', { secret }), 200);
  return secret;
}
