import { openStore } from '@homeport/store';
import { createMailer } from '../mail/mailer.ts';
import { createChannels } from '../notifications/channels.ts';
import { startDelivery } from '../notifications/start-delivery.ts';
import { openGate, pushKeys, sealer } from './way-of-news.ts';

// A process that tells people their news, for a test to kill in the middle of it.
const store = await openStore({ url: process.env.DATABASE_URL ?? '' });
const smtp = { url: process.env.SMTP_URL ?? '', from: 'console@example.com' };
const mailer = createMailer({ store, smtp, announce: () => {}, clock: Date.now });
startDelivery({
  store,
  channels: createChannels({
    ...{ mailer, publicUrl: 'https://console.example.com', sealer, gate: openGate, clock: Date.now },
    ...{ publicGate: openGate, pushKeys: async () => pushKeys },
  }),
  log: { error: () => process.exit(1) },
  clock: Date.now,
});
// Its own timers do not keep a process alive.
process.stdin.resume();
