// The built console, as `npm start` runs it; its port and store are in the environment.
const { main } = await import('../../homeport/dist/server.js');
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
await main(['--only', 'monitor']);
