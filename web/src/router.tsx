import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { apiQuery, firstData } from './data/api-query.ts';
import { firstKeys, ownersFirstKeys } from './data/first-keys.ts';
import { safeNext } from './data/safe-next.ts';
import { sessionQuery } from './data/session.ts';
import { doorHref, leaveFor } from './data/signed-out-address.ts';
import { prepareSummary } from './home/summaries.ts';
import { RouteFailed } from './shell/RouteFailed.tsx';
import { Shell } from './shell/Shell.tsx';

interface Context {
  queries: QueryClient;
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

const rootRoute = createRootRouteWithContext<Context>()({
  component: Outlet,
  errorComponent: RouteFailed,
  notFoundComponent: () => null,
});

/** Every signed-in page stands inside the frame. Signed-out pages belong to another program: signed-out.tsx. */
const frame = createRoute({
  getParentRoute: () => rootRoute,
  id: 'frame',
  beforeLoad: async ({ context, location }) => {
    if (await context.queries.ensureQueryData(sessionQuery)) return;
    await leaveFor(doorHref('/login', safeNext(location.href)));
  },
  component: Shell,
});

const framed = <P extends string>(path: P) =>
  ({
    getParentRoute: () => frame,
    path,
    loader: ({ context: { queries }, location: { pathname } }: Loading) => {
      const isOwner = queries.getQueryData(sessionQuery.queryKey)?.owner === true;
      return firstData(queries, ...firstKeys(pathname), ...(isOwner ? ownersFirstKeys(pathname) : []));
    },
  }) as const;

interface Loading {
  context: Context;
  location: { pathname: string };
}

/** For the page of one record: what the page itself needs of this record before it is drawn. */
const prepared =
  <P,>(page: () => Promise<{ prepare: (queries: QueryClient, params: P) => Promise<void> }>) =>
  async ({ context: { queries }, location, params, preload }: Loading & { params: P; preload: boolean }) => {
    // Drawing the page reports a program that does not arrive.
    const loaded = page().catch(() => undefined);
    await firstData(queries, ...firstKeys(location.pathname));
    // A pointer that crosses a list asks nothing of each record.
    if (!preload) await (await loaded)?.prepare(queries, params);
  };

/** In the demo, a page on domains offers accounts to link. */
const withDemo = async ({ context: { queries }, location }: Loading) => {
  await firstData(queries, ...firstKeys(location.pathname));
  const { demo } = queries.getQueryData(apiQuery('GET /api/configuration').queryKey) ?? {};
  if (demo) await firstData(queries, 'GET /api/github');
};

const home = createRoute({
  ...framed('/home'),
  loader: async ({ context: { queries } }) => {
    const list = queries
      .ensureQueryData(apiQuery('GET /api/servers'))
      // The page itself shows a failure.
      .then(
        ({ length }) => prepareSummary(length),
        () => undefined,
      );
    await firstData(queries, ...firstKeys('/home'));
    // A late answer holds no page up. The file of the list is one of the page's own.
    if (queries.getQueryData(apiQuery('GET /api/servers').queryKey)) await list;
  },
  component: lazyRouteComponent(() => import('./home/HomePage.tsx'), 'HomePage'),
});
const promos = createRoute({
  ...framed('/promos'),
  component: lazyRouteComponent(() => import('./promos/PromosPage.tsx'), 'PromosPage'),
});
const apps = createRoute({
  ...framed('/apps'),
  component: lazyRouteComponent(() => import('./apps/list/AppsPage.tsx'), 'AppsPage'),
});
const newApp = createRoute({
  ...framed('/apps/new'),
  validateSearch: (search: Record<string, unknown>): { server?: string | undefined } => ({
    server: text(search.server),
  }),
  component: lazyRouteComponent(() => import('./apps/new/NewAppPage.tsx'), 'NewAppPage'),
});
const app = createRoute({
  ...framed('/app/$server/$longname'),
  loader: prepared(() => import('./apps/page/AppPage.tsx')),
  component: lazyRouteComponent(() => import('./apps/page/AppPage.tsx'), 'AppPage'),
});
const credentials = createRoute({
  ...framed('/ssh-keys'),
  component: lazyRouteComponent(() => import('./credentials/CredentialsPage.tsx'), 'CredentialsPage'),
});
const newCredential = createRoute({
  ...framed('/ssh-keys/new'),
  /** `?add=<key id>` adds the private half of a stored key. */
  validateSearch: (search: Record<string, unknown>): { add?: string | undefined } => ({
    add: text(search.add),
  }),
  component: lazyRouteComponent(() => import('./credentials/NewCredentialPage.tsx'), 'NewCredentialPage'),
});
const databases = createRoute({
  ...framed('/databases'),
  component: lazyRouteComponent(() => import('./databases/list/DatabasesPage.tsx'), 'DatabasesPage'),
});

const newDatabase = createRoute({
  ...framed('/databases/new'),
  validateSearch: (
    search: Record<string, unknown>,
  ): { server?: string | undefined; type?: string | undefined } => ({
    server: text(search.server),
    type: text(search.type),
  }),
  component: lazyRouteComponent(() => import('./databases/new/NewDatabasePage.tsx'), 'NewDatabasePage'),
});

const database = createRoute({
  ...framed('/databases/$longname'),
  /** `?id=` tells databases apart that have the same name on two servers. */
  validateSearch: (search: Record<string, unknown>): { id?: string | undefined } => ({ id: text(search.id) }),
  component: lazyRouteComponent(() => import('./databases/page/DatabasePage.tsx'), 'DatabasePage'),
});

const domains = createRoute({
  ...framed('/domains'),
  loader: withDemo,
  component: lazyRouteComponent(() => import('./domains/list/DomainsPage.tsx'), 'DomainsPage'),
});
const domain = createRoute({
  ...framed('/domain/$id'),
  component: lazyRouteComponent(() => import('./domains/page/DomainPage.tsx'), 'DomainPage'),
});
const proxies = createRoute({
  ...framed('/proxies'),
  loader: withDemo,
  component: lazyRouteComponent(() => import('./proxies/list/ProxiesPage.tsx'), 'ProxiesPage'),
});
const newProxy = createRoute({
  ...framed('/proxies/new'),
  component: lazyRouteComponent(() => import('./proxies/new/NewProxyPage.tsx'), 'NewProxyPage'),
});
const proxy = createRoute({
  ...framed('/proxy/$id'),
  loader: prepared(() => import('./proxies/page/ProxyPage.tsx')),
  component: lazyRouteComponent(() => import('./proxies/page/ProxyPage.tsx'), 'ProxyPage'),
});
const servers = createRoute({
  ...framed('/servers'),
  /** `?add=1` opens Add a New Server. */
  validateSearch: (search: Record<string, unknown>): { add?: true | undefined } => ({
    add: search.add === undefined ? undefined : true,
  }),
  component: lazyRouteComponent(() => import('./servers/list/ServersPage.tsx'), 'ServersPage'),
});
const server = createRoute({
  ...framed('/server/$key'),
  component: lazyRouteComponent(() => import('./servers/page/ServerPage.tsx'), 'ServerPage'),
});
/** `?last=24h`, or `?from=…&to=…`; `with=` names what is compared. */
const chartSearch = (
  search: Record<string, unknown>,
): {
  last?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  with?: string | undefined;
} => ({
  last: text(search.last),
  from: text(search.from),
  to: text(search.to),
  with: text(search.with),
});
const serverChart = createRoute({
  ...framed('/server/$key/chart/$measure'),
  validateSearch: chartSearch,
  component: lazyRouteComponent(() => import('./charts/ServerChartPage.tsx'), 'ServerChartPage'),
});
const appChart = createRoute({
  ...framed('/app/$server/$longname/chart/$measure'),
  validateSearch: chartSearch,
  component: lazyRouteComponent(() => import('./charts/AppChartPage.tsx'), 'AppChartPage'),
});
const databaseChart = createRoute({
  ...framed('/databases/$longname/chart/$measure'),
  /** `?id=` as on the database's page. */
  validateSearch: (
    search: Record<string, unknown>,
  ): ReturnType<typeof chartSearch> & { id?: string | undefined } => ({
    ...chartSearch(search),
    id: text(search.id),
  }),
  component: lazyRouteComponent(() => import('./charts/DatabaseChartPage.tsx'), 'DatabaseChartPage'),
});
const profile = createRoute({
  ...framed('/profile'),
  component: lazyRouteComponent(() => import('./profile/ProfilePage.tsx'), 'ProfilePage'),
});

/** `?kind=…&about=<id>` filters, `?incident=<id>` shows one, `?before=…` is an older page. */
const notifications = createRoute({
  ...framed('/notifications'),
  validateSearch: (
    search: Record<string, unknown>,
  ): Partial<Record<'kind' | 'about' | 'incident' | 'before', string | undefined>> => ({
    kind: text(search.kind),
    about: text(search.about),
    incident: text(search.incident),
    before: text(search.before),
  }),
  component: lazyRouteComponent(
    () => import('./notifications/list/NotificationsPage.tsx'),
    'NotificationsPage',
  ),
});

/** The list, and with an id one page. */
const statusPages = createRoute({
  ...framed('/status-pages/{-$id}'),
  component: lazyRouteComponent(() => import('./status-pages/StatusPages.tsx'), 'StatusPages'),
});

const consolePage = createRoute({
  ...framed('/console'),
  component: lazyRouteComponent(() => import('./console/ConsolePage.tsx'), 'ConsolePage'),
});

/** No search: the page takes no code from an address. */
const device = createRoute({
  ...framed('/device'),
  component: lazyRouteComponent(() => import('./device/DevicePage.tsx'), 'DevicePage'),
});

const approve = createRoute({
  ...framed('/approve/$id'),
  component: lazyRouteComponent(() => import('./proposals/ApprovePage.tsx'), 'ApprovePage'),
});

const unknown = createRoute({
  getParentRoute: () => rootRoute,
  path: '$',
  beforeLoad: () => {
    throw redirect({ to: '/home', replace: true });
  },
});

/** Pages for developers of the console. Production builds leave them out. */
const development = import.meta.env.DEV
  ? [
      createRoute({
        getParentRoute: () => rootRoute,
        path: '/_gallery',
        component: lazyRouteComponent(() => import('./gallery/Gallery.tsx'), 'Gallery'),
      }),
    ]
  : [];

const tree = rootRoute.addChildren([
  frame.addChildren([
    home,
    promos,
    apps,
    newApp,
    app,
    credentials,
    newCredential,
    databases,
    newDatabase,
    database,
    domains,
    domain,
    proxies,
    newProxy,
    proxy,
    servers,
    server,
    serverChart,
    appChart,
    databaseChart,
    profile,
    notifications,
    statusPages,
    consolePage,
    device,
    approve,
  ]),
  ...development,
  unknown,
]);

/** Plain `name=value` pairs, so that a token that looks like a number stays text. */
function searchText(search: Record<string, unknown>): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined) pairs.set(name, String(value));
  }
  return pairs.size > 0 ? `?${pairs}` : '';
}

export function createAppRouter(queries: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { queries },
    scrollRestoration: true,
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: searchText,
    defaultPreload: 'intent',
    defaultPendingMs: 150,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
