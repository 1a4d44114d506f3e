import { createMonitor } from '@homeport/monitor';
import { openStore } from '@homeport/store';

// A monitor that does nothing but check. Says how much processor time it has used so far, in ms, whenever it is asked.
const store = await openStore({ url: process.env.DATABASE_URL ?? '' });
const monitor = await createMonitor({
  store,
  identify: () => null,
  log: { error: (...words: unknown[]) => process.stderr.write(`${JSON.stringify(words)}\n`) },
  checks: { allowedNetworks: ['127.0.0.0/8'], anchors: [] },
});
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.((user + system) / 1000);
});
process.once('disconnect', () => {
  void monitor
    .close()
    .then(() => store.close())
    .then(() => process.exit());
});
