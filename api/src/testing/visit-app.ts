import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { SandboxServer } from './sandbox-host.ts';

/** The front's answer to a visitor of an app’s domain. fetch() does not allow a Host header. */
export async function visitApp({ sandbox }: SandboxServer, domain: string, path = '/') {
  const visit = request({
    agent: false,
    host: '127.0.0.1',
    port: sandbox.frontPort,
    path,
    headers: { host: domain },
  });
  visit.end();
  const [answer] = (await once(visit, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, body: await text(answer) };
}
