import { startDemoCloudflare } from './demo-cloudflare.ts';
import { startDemoGithub } from './demo-github.ts';
import type { StandInReport } from './stand-in-report.ts';

// A process that is one service of the demo and nothing else. The console starts it with the service's name and a port, and hears
// from it when it answers.

const [name, port] = process.argv.slice(2);

async function start(): Promise<StandInReport> {
  if (name === 'cloudflare') return { url: (await startDemoCloudflare(Number(port))).url, app: null };
  if (name !== 'github') throw new Error(`The demo has no stand-in for ${name}.`);
  const { url, app } = await startDemoGithub(Number(port));
  return { url, app };
}

// A terminal sends its signals to every process. The console decides about the end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
// The channel closes with the console, however it ended.
process.on('disconnect', () => process.exit());
process.send?.(await start());
