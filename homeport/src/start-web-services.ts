import { serverOptions } from '@homeport/api/log';
import type { Monitor } from '@homeport/monitor';
import Fastify, { type FastifyInstance } from 'fastify';
import { addArmour } from './armour.ts';
import { leadToOrigin } from './canonical-origin.ts';
import { withStandIns } from './demo/stand-ins.ts';
import { startDemo } from './demo/start-demo.ts';
import { drainBeforeClose } from './drain.ts';
import { collectGarbageOfStart } from './garbage-of-start.ts';
import { addHealth } from './health.ts';
import { watchLoop } from './loop-watch.ts';
import { addServices, type ServiceParts } from './services.ts';
import { explainListenError } from './taken-port.ts';
import { version } from './version.ts';

/** Starts the services that share the console's port, and the demo. Resolves with the demo's text, if there is a demo. */
export async function startWebServices(given: ServiceParts): Promise<string | undefined> {
  const parts = { ...given, ...(await withStandIns(given)) };
  const monitor = await startWebServer(parts);
  const { demo } = parts.config;
  // The demo starts last, because its agent reports to the console at once.
  return demo && monitor ? startDemo({ ...parts, demo, monitor, announce: console.log }) : undefined;
}

async function startWebServer(parts: ServiceParts): Promise<Monitor | undefined> {
  const { config, store, log, cleanup } = parts;
  const fastify: FastifyInstance = Fastify({
    ...serverOptions(log),
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    // Open event streams would keep the console alive while a page is open.
    forceCloseConnections: true,
  });
  drainBeforeClose(fastify);
  addArmour(fastify, config.publicUrl);
  leadToOrigin(fastify, config.publicUrl);
  const loop = watchLoop(log);
  cleanup.add('the watch of the event loop', () => loop.stop());
  addHealth(fastify, store, { version, services: [...config.services] }, loop);
  const monitor = await addServices(fastify, parts);
  cleanup.add('the web server', () => fastify.close());
  await collectGarbageOfStart();
  await fastify
    .listen({ host: config.host, port: config.port })
    .catch(async (error: NodeJS.ErrnoException) => {
      throw await explainListenError(error, config.host, config.port, '--port');
    });
  return monitor;
}
