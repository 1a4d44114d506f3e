import { createServer } from 'node:http';

// Dokku names the port.
const port = Number(process.env.PORT ?? 5000);

createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
  response.end('Ahoy from Node.js. Change server.js, commit, and push.\n');
}).listen(port, () => process.stdout.write(`listening on ${port}\n`));
