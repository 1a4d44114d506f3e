import { createHash, createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A stand-in for an S3 service on loopback. It keeps objects in memory and takes only requests that its secret signed. */
export type S3Server = AsyncDisposable & {
  endpoint: string;
  accessKey: string;
  secret: string;
  /** By `<bucket>/<name>`. */
  objects: Map<string, Buffer>;
  /** Refuses every request of this method until another call. */
  refuse(method: 'PUT' | 'DELETE' | null): void;
};

export async function startS3Server(bucket = 'backups'): Promise<S3Server> {
  const keys = { accessKey: 'AKIACANARY0KEY', secret: 'canary+S3/secret=7fQ2' };
  const objects = new Map<string, Buffer>();
  let refused: string | null = null;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (!isSigned(request, keys))
        return fail(response, 403, 'SignatureDoesNotMatch', 'The signature is wrong.');
      if (request.method === refused) return fail(response, 403, 'AccessDenied', 'Access Denied by policy');
      answer(objects, bucket, request, Buffer.concat(chunks), response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    ...keys,
    objects,
    refuse: (method) => {
      refused = method;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function answer(
  objects: Map<string, Buffer>,
  bucket: string,
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): void {
  const url = new URL(request.url ?? '/', 'http://s3');
  const name = decodeURIComponent(url.pathname.slice(1));
  if (name !== bucket && !name.startsWith(`${bucket}/`)) {
    fail(response, 404, 'NoSuchBucket', 'The specified bucket does not exist');
    return;
  }
  const held = objects.get(name);
  const { method } = request;
  if (method === 'PUT') {
    objects.set(name, body);
    response.setHeader('etag', etagOf(body));
    response.end();
  } else if (method === 'DELETE') {
    objects.delete(name);
    response.statusCode = 204;
    response.end();
  } else if (name === bucket || name === `${bucket}/`) {
    list(objects, bucket, url, response);
  } else if (held) {
    response.setHeader('etag', etagOf(held));
    response.setHeader('content-length', held.length);
    response.setHeader('last-modified', new Date(0).toUTCString());
    response.end(method === 'GET' ? held : undefined);
  } else {
    fail(response, 404, 'NoSuchKey', 'The specified key does not exist.');
  }
}

const etagOf = (body: Buffer) => `"${createHash('md5').update(body).digest('hex')}"`;

function list(objects: Map<string, Buffer>, bucket: string, url: URL, response: ServerResponse): void {
  const prefix = url.searchParams.get('prefix') ?? '';
  const keys = [...objects.entries()]
    .map(([name, body]) => ({ key: name.slice(bucket.length + 1), body }))
    .filter(({ key }) => key.startsWith(prefix));
  const contents = keys.map(
    ({ key, body }) =>
      `<Contents><Key>${key}</Key><Size>${body.length}</Size><ETag>${etagOf(body)}</ETag><LastModified>1970-01-01T00:00:00.000Z</LastModified></Contents>`,
  );
  response.setHeader('content-type', 'application/xml');
  response.end(
    `<?xml version="1.0"?><ListBucketResult><Name>${bucket}</Name><Prefix>${prefix}</Prefix><IsTruncated>false</IsTruncated>${contents.join('')}</ListBucketResult>`,
  );
}

function fail(response: ServerResponse, status: number, code: string, message: string): void {
  response.statusCode = status;
  response.setHeader('content-type', 'application/xml');
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`);
}

/** AWS Signature Version 4, "Create a signed AWS API request". */
function isSigned(request: IncomingMessage, keys: { accessKey: string; secret: string }): boolean {
  const found =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? '',
    );
  const [, accessKey, day = '', region = '', signedHeaders = '', signature] = found ?? [];
  if (accessKey !== keys.accessKey) return false;
  const url = new URL(request.url ?? '/', 'http://s3');
  const header = (name: string) => String(request.headers[name] ?? '').trim();
  const encode = (text: string) =>
    encodeURIComponent(text).replace(
      /[!'()*]/g,
      (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  const canonical = [
    request.method,
    url.pathname
      .split('/')
      .map((part) => encode(decodeURIComponent(part)))
      .join('/'),
    [...url.searchParams]
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .sort()
      .join('&'),
    ...signedHeaders.split(';').map((name) => `${name}:${header(name)}`),
    '',
    signedHeaders,
    header('x-amz-content-sha256'),
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const toSign = [
    'AWS4-HMAC-SHA256',
    header('x-amz-date'),
    scope,
    createHash('sha256').update(canonical).digest('hex'),
  ].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>(
    (before, part) => createHmac('sha256', before).update(part).digest(),
    `AWS4${keys.secret}`,
  );
  return createHmac('sha256', key).update(toSign).digest('hex') === signature;
}
