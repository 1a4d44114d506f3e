import { createHash } from 'node:crypto';
import type { Operation } from '@homeport/contract/operations/schema';
import type { ProposableRoute } from '@homeport/contract/proposals/facts';
import type { ProposedCall, ProposedCommand } from '@homeport/contract/proposals/schema';
import { quoteArgv } from '@homeport/contract/quoting';
import type { SessionIdentity } from '@homeport/contract/services';
import { argvFor, runsAs } from '@homeport/dokku';
import { type OwnerRead, ownerFromSession, type Store } from '@homeport/store';
import type { Handlers } from '../http/handlers.ts';
import { ProblemError } from '../http/problem.ts';
import type { StartRequest } from '../operations/add-operation.ts';
import type { AnyOperationDefinition, PlannedCommand } from '../operations/definition.ts';
import type { OperationEngine } from '../operations/engine.ts';
import { type AppRow, findApp } from '../records/app-record.ts';
import { findServer, type ServerRow } from '../records/server-record.ts';
import { accountOf } from '../remote/server-access.ts';

export type ProposalDeps = {
  store: Pick<Store, 'read' | 'transact' | 'db'>;
  engine: OperationEngine;
  definitions: readonly AnyOperationDefinition[];
  /** The handlers of the routes themselves, over an engine that is given. */
  handlersOver: (engine: OperationEngine) => Pick<Handlers, ProposableRoute>;
  publicUrl: string;
};

/** Who calls, and until when. */
export type Calling = { session: SessionIdentity; address: string; signal: AbortSignal };

/** What a call would do now. */
export type CallPlan = {
  title: string;
  commands: readonly ProposedCommand[];
  /** Equal for two plans of the same call with the same commands, while the app and its server are what they were. */
  fingerprint: string;
  appName: string;
  serverName: string;
};

/** Ends a handler that would begin an operation. */
class Begun extends Error {
  readonly request: StartRequest;

  constructor(request: StartRequest) {
    super('the handler would begin an operation');
    this.request = request;
  }
}

/**
 * Asks the route's own handler what it would begin, and begins nothing. So the route refuses here what it would refuse then.
 *
 * @throws ProblemError as the route does
 */
export async function planCall(
  { store, engine, definitions, handlersOver }: ProposalDeps,
  calling: Calling,
  call: ProposedCall,
): Promise<CallPlan> {
  const start = async (request: StartRequest): Promise<Operation> => {
    throw new Begun(request);
  };
  try {
    await callRoute(handlersOver({ ...engine, start }), calling, call);
  } catch (error) {
    if (!(error instanceof Begun)) throw error;
    const owner = ownerFromSession(calling.session.userId);
    return store.read(owner, (scope) => describeCall(scope, definitions, { call, request: error.request }));
  }
  throw new Error(`${call.route} begins no operation`);
}

/** Calls the route's handler with checked input. */
export async function callRoute(
  handlers: Pick<Handlers, ProposableRoute>,
  calling: Calling,
  call: ProposedCall,
): Promise<Operation> {
  // The table pairs each key with its handler's type. The compiler loses that pairing over all keys at once.
  const handler = handlers[call.route] as (context: object) => Promise<Operation>;
  const { params } = call;
  const body = 'body' in call ? call.body : undefined;
  return handler({ ...calling, params, body, query: undefined, lastEventId: null });
}

/** The plan of what a handler asks the engine for, by the records as the scope sees them. */
export async function describeCall(
  scope: OwnerRead,
  definitions: readonly AnyOperationDefinition[],
  { call, request }: { call: ProposedCall; request: StartRequest },
): Promise<CallPlan> {
  const app = await findApp(scope, call.params.id);
  const server = await findServer(scope, app.server_id);
  const definition = definitions.find(({ kind }) => kind === request.kind);
  const bound = definition?.parse(request.input);
  if (!bound?.commands) throw new Error(`${request.kind} does not name its commands`);
  const commands = bound.commands.map((planned) => shownCommand(planned, server));
  const whole = [call, request.kind, request.input, commands, factsOf(app, server)];
  return {
    title: bound.title,
    commands,
    fingerprint: createHash('sha256').update(JSON.stringify(whole)).digest('hex'),
    appName: app.name,
    serverName: app.server_name,
  };
}

function shownCommand({ work, command, onlyIf }: PlannedCommand, server: ServerRow): ProposedCommand {
  // Input never stands in an argv where it is secret, and a command that reads any would show only half of what it does.
  if (command.stdin !== undefined) throw new Error(`${command.words[0]} reads input that nobody would see`);
  const account = accountOf(server, work);
  return { account: runsAs(account, command), command: quoteArgv(argvFor(account, command)), onlyIf };
}

/** What a person decides by. When the server last answered is not among it. */
const factsOf = (app: AppRow, server: ServerRow) => [
  ...[app.id, app.version, app.longname, app.plan, app.stopped, app.domains, app.https],
  ...[app.deploy_status, app.deployed_at, app.deploy_failed_at, app.missing_since],
  ...[server.id, server.ip, server.port, server.username, server.console_account, server.login],
  server.host_key_fingerprint,
];

export const changedSince = () =>
  new ProblemError(
    'stale_edit',
    'The app or its server has changed since this was proposed. Nothing was run.',
    {
      recovery: 'Have the program propose it again.',
    },
  );
