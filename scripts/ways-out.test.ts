import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sourceFiles } from './import-graph.mjs';
import { root } from './install.mjs';

/** Rooms that run beside or inside the operator's network. */
const onTheConsole = /^(?:api|monitor|proxy|store|homeport|ssh|dokku|egress|contract)\/src\//;
/** Everything in Node.js that connects. */
const connecting =
  /\bfetch\(|\b(?:connect|createConnection|request|get)\b[^;]*\} from 'node:(?:net|tls|https?|http2)'|(?:from |import\()'(?:undici|nodemailer|node:dgram)'|\b(?:https?|net|tls)\.(?:connect|createConnection|get|request)\(/;

/** Why each of them needs no gate, or what stands before it. */
const known: Record<string, string> = {
  'egress/src/gate.ts': 'the gate itself',
  'monitor/src/uptime/request-once.ts': 'speaks HTTP over a socket of the gate',
  'api/src/notifications/http/post-once.ts': 'speaks HTTP over a socket of the gate',
  'ssh/src/opening/dial.ts':
    'gets an address that the gate judged when this connection was asked for, and no name',
  'api/src/mail/mailer.ts': 'the operator sets the mail server',
  'api/src/cloudflare/client.ts': 'the operator sets the address, and no redirect is followed',
  'api/src/mcp/serve.ts':
    'hands a request to the program of the protocol by its `fetch`, which connects to nothing',
  'api/src/github/client.ts': 'the operator sets the address, and redirects stay within it',
  'api/src/github/archive.ts': 'GitHub tells the address, which has to be one of its own for archives',
  'api/src/proxies/ask-plane.ts': 'the plane of this console',
  'homeport/src/proxy-service/take-over.ts': 'the plane of this console',
  'homeport/src/taken-port.ts': 'the port of this machine at which the console wants to listen',
  'homeport/src/demo/open-ssh-host.ts': 'the sshd of the demo on the loopback',
};

const withoutComments = (text: string) => text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');

test('whatever connects to an address passes the gate, or is named here with the reason why it need not', () => {
  const found = sourceFiles().filter(
    (path) =>
      onTheConsole.test(path) &&
      !/\.test\.ts$|\btesting\b/.test(path) &&
      connecting.test(withoutComments(readFileSync(join(root, path), 'utf8'))),
  );
  expect(found.sort()).toEqual(Object.keys(known).sort());
});
