import { randomBytes } from 'node:crypto';
import { type CloudflareProcess, type GrantAtCloudflare, startCloudflare } from '@homeport/stand-ins/testing';
import { bodyOf, startTestApi, type TestApi, type TestPerson } from '../../http/testing.ts';

export type CloudflareConsole = {
  api: TestApi;
  ines: TestPerson;
  cloudflare: CloudflareProcess;
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
  const cloudflare = await startCloudflare();
  const api = await startTestApi({ cloudflareUrl: cloudflare.url, ...changes }, given);
  const ines = await api.signUp('ines');
  return {
    api,
    ines,
    cloudflare,
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      await cloudflare[Symbol.asyncDispose]();
    },
  };
}

/** Gives the person a token for the zones, and links it. */
export async function linkToken(
  { cloudflare }: Pick<CloudflareConsole, 'cloudflare'>,
  person: TestPerson,
  grant: Omit<GrantAtCloudflare, 'secret'> = {},
): Promise<string> {
  const secret = newToken();
  await cloudflare.grant({ secret, ...grant });
  bodyOf(await person.call('PUT /api/zones/account', { secret }), 200);
  return secret;
}
