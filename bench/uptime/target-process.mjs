import { readFileSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import { createServer as createHttps } from 'node:https';

// The target of the checks: a small page over http and over https. Prints its ports.
const { TARGET_CERT = '', TARGET_KEY = '' } = process.env;
const page = Buffer.alloc(8_192, 'x');
/** @type {import('node:http').RequestListener} */
const answer = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html', 'content-length': page.length }).end(page);
};
const servers = [
  createHttp(answer),
  createHttps({ cert: readFileSync(TARGET_CERT), key: readFileSync(TARGET_KEY) }, answer),
];
await Promise.all(
  servers.map((server) => new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))),
);
process.send?.(
  servers.map((server) => {
    const address = server.address();
    return typeof address === 'object' && address ? address.port : 0;
  }),
);
process.once('disconnect', () => process.exit());
