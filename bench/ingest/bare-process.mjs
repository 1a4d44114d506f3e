import { createServer } from 'node:http';
import { gunzipSync } from 'node:zlib';

// For comparison: a Node server that unpacks and parses the same body and stores nothing.
const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(204).end();
    return;
  }
  /** @type {Buffer[]} */
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    JSON.parse(gunzipSync(Buffer.concat(chunks)).toString());
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 2 }).end('{}');
  });
});
server.listen(Number(process.env.HOMEPORT_PORT), '127.0.0.1');
process.once('disconnect', () => process.exit());
