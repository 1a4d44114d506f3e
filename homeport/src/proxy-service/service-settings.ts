import type { ProxyDeps } from '@homeport/proxy';
import { z } from 'zod';
import { type Config, consolePorts } from '../config/config.ts';
import type { Secrets } from '../config/secrets.ts';

/** Whoever runs the service reaches it on this machine only. */
export const controlHost = '127.0.0.1';

/** What the proxy service needs to know. It passes from the console to the service's process, so it is plain data. */
export const serviceSettingsSchema = z.object({
  host: z.string(),
  port: z.number(),
  control: z.object({ host: z.string(), port: z.number() }),
  dataFolder: z.string(),
  secret: z.string(),
  upstreams: z.object({
    allowPrivate: z.array(z.string()),
    own: z.object({ ports: z.array(z.number()), names: z.array(z.string()) }),
  }),
  trusted: z.object({
    networks: z.array(z.string()),
    cdnNetworks: z.array(z.string()),
    secret: z.string().nullable(),
  }),
  bodyBytes: z.number().nullable(),
  workers: z.object({ count: z.number(), program: z.string(), heapMiB: z.number() }).nullable(),
  dnsServers: z.array(z.string()),
  proxyName: z.string().nullable(),
  isLocal: z.boolean(),
});
export type ServiceSettings = z.infer<typeof serviceSettingsSchema> &
  Omit<ProxyDeps, 'openStore' | 'report' | 'release' | 'beforeListening'>;

/** @param workerProgram answers visitors in a process of its own, where there are several */
export function serviceSettings(config: Config, secrets: Secrets, workerProgram: string): ServiceSettings {
  const { host, port, controlPort, processes, heapMiB, trusted, allowPrivate, bodyBytes, dnsServers, name } =
    config.proxy;
  return {
    ...{ host, port, bodyBytes, dnsServers, dataFolder: config.dataFolder, secret: secrets.secret },
    control: { host: controlHost, port: controlPort },
    trusted: { ...trusted, secret: secrets.proxyFrontSecret ?? null },
    workers: processes > 1 ? { count: processes, program: workerProgram, heapMiB } : null,
    ...{ proxyName: name ?? null, isLocal: config.loopbackOnly },
    upstreams: {
      allowPrivate,
      own: { ports: consolePorts(config), names: [new URL(config.publicUrl).hostname] },
    },
  };
}
