import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { request } from '../testing/raw-request.ts';
import { listen, startPlane } from '../testing/start-plane.ts';

it('an upstream whose certificate nobody vouches for gets no byte of a request', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'homeport-tls-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=secret.test'],
    ...['-addext', 'subjectAltName=DNS:secret.test', '-keyout', key, '-out', cert],
  ]);
  let asked = 0;
  const server = createServer({ key: await readFile(key), cert: await readFile(cert) }, (_req, res) => {
    asked += 1;
    res.end('answer');
  });
  const names: unknown[] = [];
  server.on('tlsClientError', (_error, socket) => names.push(socket.servername));
  server.on('secureConnection', (socket) => names.push(socket.servername));
  const port = await listen(server);
  const plane = await startPlane(
    {},
    { resolve: (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]) },
  );
  plane.put('example.test', `https://secret.test:${port}`);
  expect(await request(plane.port, 'GET /')).toMatchObject({ status: 502, body: 'certificate\n' });
  expect(asked).toBe(0);
  // The name of the target, and not the Host of the visitor, is the one that is asked for.
  expect(names).toEqual(['secret.test']);
  await plane.close();
  server.close();
  await rm(folder, { recursive: true });
});
