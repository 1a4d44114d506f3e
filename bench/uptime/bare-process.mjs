import { once } from 'node:events';
import { get as getOverHttp } from 'node:http';
import { Agent, get as getOverHttps } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';

// For comparison: Node's own client sends the same requests in the same rhythm, and neither judges nor stores the answers. Prints
// the processor time of one request, in ms.
const [, , address = '', count = '', everyMs = '', atOnce = ''] = process.argv;

// Like the checks, each request opens a new connection and resumes no TLS session.
const agent = new Agent({ maxCachedSessions: 0, secureContext: createSecureContext() });

async function ask() {
  const request = address.startsWith('https:')
    ? getOverHttps(address, { agent, lookup: toLoopback })
    : getOverHttp(address, { agent: false, lookup: toLoopback });
  const [response] = await once(request, 'response');
  response.resume();
  await once(response, 'end');
}

/** @type {import('node:net').LookupFunction} */
function toLoopback(_name, _options, done) {
  done(null, [{ address: '127.0.0.1', family: 4 }]);
}

async function round() {
  const asked = [];
  for (let made = 0; made < Number(count); made += Number(atOnce)) {
    for (let i = 0; i < Number(atOnce); i += 1) asked.push(ask());
    await wait((Number(everyMs) * Number(atOnce)) / Number(count));
  }
  await Promise.all(asked);
  return asked.length;
}

await round();
const before = process.cpuUsage();
const made = await round();
const { user, system } = process.cpuUsage(before);
process.send?.((user + system) / 1000 / made);
process.disconnect();
