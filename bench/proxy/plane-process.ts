import { startProxy } from '@homeport/proxy';
import { openStore } from '@homeport/store';
import pino from 'pino';

// The proxy service alone, on the ports and with the snapshot that the bench gives it. Without DATABASE_URL it serves the snapshot.
const { PLANE_PORT, PLANE_CONTROL, PLANE_FOLDER = '', DATABASE_URL } = process.env;
const proxy = await startProxy({
  ...{ host: '127.0.0.1', port: Number(PLANE_PORT), dataFolder: PLANE_FOLDER, secret: 'b'.repeat(32) },
  control: { host: '127.0.0.1', port: Number(PLANE_CONTROL) },
  openStore: () =>
    DATABASE_URL === undefined ? Promise.reject(new Error('no store')) : openStore({ url: DATABASE_URL }),
  upstreams: { allowPrivate: ['127.0.0.0/8'], own: { ports: [], names: [] } },
  trusted: { networks: [], cdnNetworks: [] },
  ...{ bodyBytes: null, proxyName: null, isLocal: true },
  log: pino({ level: 'error' }),
});
process.once('SIGTERM', () => void proxy.close().then(() => process.exit()));
