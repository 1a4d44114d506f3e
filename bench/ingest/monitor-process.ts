import { createMonitor } from '@homeport/monitor';
import { openStore } from '@homeport/store';
import Fastify from 'fastify';

// The monitor alone, as the launcher starts it, on the store that DATABASE_URL names. Says its port to the parent.
const store = await openStore({ url: process.env.DATABASE_URL ?? '' });
const app = Fastify();
const monitor = await createMonitor({ store, identify: () => null, log: app.log });
await monitor.register(app);
process.send?.(Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port));
process.once('disconnect', async () => {
  await app.close();
  await monitor.close();
  await store.close();
});
