import type { InputOf, ReplyOf } from '@homeport/contract/route';
import type { Routes as ApiRoutes } from '@homeport/contract/routes';
import type { monitorRoutes } from '@homeport/contract/stats/schema';

/** The routes that the page can call: the api's and the monitor's, behind one origin. */
type Routes = ApiRoutes & typeof monitorRoutes;

export type RouteKey = keyof Routes;
export type RouteInput<K extends RouteKey> = InputOf<Routes[K]>;
export type RouteOutput<K extends RouteKey> = ReplyOf<Routes[K]>;
