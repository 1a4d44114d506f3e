import { createMonitor } from '@homeport/monitor';
import { openStore } from '@homeport/store';

// A monitor that only makes checks. Answers each message with its processor time so far, in ms.
const store = await openStore({ url: process.env.DATABASE_URL ?? '' });
const monitor = await createMonitor({
  store,
  identify: () => null,
  log: { error: (...words: unknown[]) => process.stderr.write(`${JSON.stringify(words)}\n`) },
  checks: { allowedNetworks: ['127.0.0.0/8'], consolePorts: [], anchors: [] },
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
