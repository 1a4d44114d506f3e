import { addressSchema, nameSchema, portSchema, usernameSchema } from '@homeport/contract/fields/schema';
import { serverAddress } from '@homeport/contract/fields/typed-address';
import { isLoopbackAddress } from '@homeport/contract/network/loopback';
import { credentialSchema, subdomainSchema } from '@homeport/contract/servers/schema';
import { z } from 'zod';
import { noCredential } from '../../keys/credential-options.ts';

const port = 'A port is between 1 and 65535.';

/** The form as typed. Its output fits `POST /api/servers`. The page fills in an empty subdomain. */
export const addServerForm = z.object({
  name: nameSchema,
  ip: addressSchema,
  port: z
    .string()
    .trim()
    .transform((text) => text || '22')
    .pipe(z.string().regex(/^\d{1,5}$/, port))
    .transform(Number)
    .pipe(portSchema),
  username: z
    .string()
    .trim()
    .transform((text) => text || 'root')
    .pipe(usernameSchema),
  credential: z
    .string()
    .min(1, 'Choose one of your keys, Password, or None.')
    .transform((chosen) => (chosen === noCredential ? null : chosen))
    .pipe(credentialSchema.nullable()),
  subdomain: z.string().trim().pipe(z.literal('').or(subdomainSchema)),
  installDokku: z.boolean(),
  otherMachine: z.boolean(),
});
export type AddServerForm = z.input<typeof addServerForm>;
export type AddServerValues = z.output<typeof addServerForm>;

export const emptyForm: AddServerForm = {
  name: '',
  ip: '',
  port: '22',
  username: '',
  credential: '',
  subdomain: '',
  installDokku: true,
  otherMachine: false,
};

/**
 * The server that is linked under this address already. On a loopback address each
 * port is a machine of its own, behind a tunnel.
 */
export function linkedAs<S extends { ip: string; port: number }>(
  typed: Pick<AddServerForm, 'ip' | 'port'>,
  servers: readonly S[],
): { server: S; samePort: boolean } | null {
  const ip = serverAddress(typed.ip);
  if (ip === null) return null;
  const port = Number(typed.port.trim() || '22');
  const there = servers.filter((server) => server.ip === ip);
  const same = there.find((server) => server.port === port);
  const other = isLoopbackAddress(ip) ? undefined : there[0];
  const server = same ?? other;
  return server ? { server, samePort: same !== undefined } : null;
}

/** True if an agent on that machine could post to this console only if it is the console’s own machine, which this page does not know. */
export function mayNotReport(ip: string, reachableUrl: string | null): boolean {
  const address = serverAddress(ip);
  return reachableUrl === null && address !== null && !isLoopbackAddress(address);
}
