import { readFile } from 'node:fs/promises';
import { type Agent, createServer, type RequestListener, request } from 'node:http';
import { query } from './console-process.ts';

/** A website on a free port of this machine. */
export async function startWebsite(answer: RequestListener): Promise<AsyncDisposable & { origin: string }> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The website does not listen.');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A proxy of a person of its own, whose domain counts as proven. Resolves with its id. */
export async function plantProxy(dataFolder: string, domain: string, source: string): Promise<string> {
  const rows = await query(
    dataFolder,
    `with owner as (insert into auth."user" (name, email, "emailVerified") values ('ada', $1 || '@example.test', true)
      on conflict (email) do update set name = excluded.name returning id)
    insert into proxies (owner_id, name, domain, source, created_at, proof, holds, allowed, granted_at, check_due_at)
    select id, $1, $1, $2, 1, $1, true, true, 1, $3::bigint from owner returning id`,
    [domain, source, Date.now() + 3_600_000],
  );
  const [row] = rows;
  if (typeof row !== 'object' || row === null || !('id' in row)) throw new Error('No proxy was made.');
  return String(row.id);
}

/** The children of a process that run this program (proc(5)). */
export async function childrenWith(pid: number, program: string): Promise<number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const found: number[] = [];
  for (const child of children.trim().split(' ').filter(Boolean)) {
    const line = await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '');
    if (line.includes(program)) found.push(Number(child));
  }
  return found;
}

/** The processes of a console's proxy service. */
export const servicesOf = (consolePid: number | undefined) =>
  childrenWith(consolePid ?? 0, 'proxy-service.js');

export type Asked = { port: number; domain: string; path: string; agent?: Agent };

/** What a visitor of the domain gets. `fetch` lets nobody choose the Host. */
export function askDomain({ port, domain, path, agent }: Asked): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { host: domain, ...(agent === undefined && { connection: 'close' }) };
    request({ port, path, headers, host: '127.0.0.1', agent: agent ?? false }, (res) => {
      let text = '';
      res.once('error', reject);
      res.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      res.on('end', () => resolve(text));
    })
      .once('error', reject)
      .end();
  });
}
