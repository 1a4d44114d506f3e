// The built console, as `npm start` runs it. The environment names its port and store.
// The address is no literal, because the type check would read the whole bundle.
const bundle = new URL('../../homeport/dist/server.js', import.meta.url);
const { main } = await import(bundle.href);
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
await main(['--only', 'monitor']);
