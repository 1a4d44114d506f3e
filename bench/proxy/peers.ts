import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { snippet } from './content.ts';

/** How a peer is started: its command, and whether it keeps answers and puts snippets into pages. */
export type Peer = {
  name: string;
  command(parts: { folder: string; port: number; site: number }): Promise<readonly string[]>;
  keeps: boolean;
  env?: Readonly<Record<string, string>>;
};

/** nginx as a website: it answers from files. The same program is the yardstick as a proxy. */
export async function siteCommand(folder: string, port: number): Promise<readonly string[]> {
  return nginx(
    folder,
    'site',
    `server {
      listen 127.0.0.1:${port} backlog=4096;
      root ${folder}/content;
      location / { types { text/html html; application/octet-stream bin; } }
      location /kept/ { alias ${folder}/content/; add_header Cache-Control "public, max-age=3600"; types { text/html html; application/octet-stream bin; } }
    }`,
  );
}

export const peers: readonly Peer[] = [
  {
    name: 'nginx',
    keeps: true,
    command: ({ folder, port, site }) =>
      nginx(
        folder,
        'proxy',
        `upstream site { server 127.0.0.1:${site}; keepalive 64; keepalive_requests 100000000; }
        proxy_cache_path ${folder}/nginx-cache keys_zone=kept:10m;
        proxy_temp_path ${folder}/nginx-proxy;
        proxy_http_version 1.1; proxy_buffers 16 16k; proxy_buffer_size 16k;
        proxy_set_header Connection ""; proxy_set_header Host $host;
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
        proxy_set_header X-Forwarded-Proto $scheme; proxy_set_header X-Forwarded-Host $http_host;
        server {
          listen 127.0.0.1:${port} backlog=4096;
          location / { proxy_pass http://site; }
          location /kept/ { proxy_cache kept; proxy_pass http://site; }
          location /snippet/ { sub_filter '</head>' '${snippet}</head>'; proxy_pass http://site/; }
        }`,
      ),
  },
  {
    name: 'Caddy',
    keeps: false,
    env: { GOMAXPROCS: '1' },
    async command({ folder, port, site }) {
      const file = join(folder, 'Caddyfile');
      await writeFile(
        file,
        `{\n\tadmin off\n\tauto_https off\n}\nhttp://:${port} {\n\tbind 127.0.0.1\n\treverse_proxy 127.0.0.1:${site} {\n\t\ttransport http {\n\t\t\tcompression off\n\t\t\tkeepalive_idle_conns_per_host 64\n\t\t}\n\t}\n}\n`,
      );
      return ['caddy', 'run', '--adapter', 'caddyfile', '--config', file];
    },
  },
  {
    name: 'Varnish',
    keeps: true,
    async command({ folder, port, site }) {
      const file = join(folder, 'site.vcl');
      await writeFile(
        file,
        `vcl 4.1;\nbackend site { .host = "127.0.0.1"; .port = "${site}"; }\nsub vcl_recv { if (req.url !~ "^/kept/") { return (pass); } }\n`,
      );
      const at = ['-n', join(folder, 'varnish'), '-a', `127.0.0.1:${port}`, '-f', file];
      return ['varnishd', '-F', '-j', 'none', ...at, '-s', 'malloc,64m'];
    },
  },
  {
    name: 'HAProxy',
    keeps: true,
    async command({ folder, port, site }) {
      const file = join(folder, 'haproxy.cfg');
      await writeFile(
        file,
        `global
  nbthread 1
  tune.bufsize 32768
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
cache kept
  total-max-size 64
  max-object-size 100000
  max-age 3600
frontend visitors
  bind 127.0.0.1:${port}
  option forwardfor
  http-request set-header X-Forwarded-Proto http
  http-request cache-use kept if { path_beg /kept/ }
  http-response cache-store kept
  default_backend site
backend site
  http-reuse always
  server site 127.0.0.1:${site}
`,
      );
      return ['haproxy', '-db', '-f', file];
    },
  },
];

async function nginx(folder: string, name: string, http: string): Promise<readonly string[]> {
  const file = join(folder, `nginx-${name}.conf`);
  const temporary = ['client_body', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${folder}/nginx-${name}-${kind};`)
    .join(' ');
  await writeFile(
    file,
    `daemon off; master_process off; worker_processes 1; pid ${folder}/nginx-${name}.pid; error_log stderr error;
events { worker_connections 8192; }
http {
  access_log off; sendfile on; tcp_nopush on; tcp_nodelay on; keepalive_requests 100000000; ${temporary}
  ${http.includes('proxy_temp_path') ? '' : `proxy_temp_path ${folder}/nginx-${name}-proxy;`}
  ${http}
}
`,
  );
  return ['nginx', '-p', folder, '-e', 'stderr', '-c', file];
}
