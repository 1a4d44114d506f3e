import { errorCatalogue } from '@homeport/contract/problems/facts';
import { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { ProblemError } from '../http/problem.ts';
import { renderBounded, untrusted } from './answer.ts';
import { RouteProblem } from './call-route.ts';
import type { Caller } from './caller.ts';
import { instructions, tools } from './table.ts';
import { isShownTo, type Tool } from './tool.ts';

type Asked = {
  request: Request;
  /** The message of the request. */
  body: unknown;
  caller: Caller;
  version: string;
  /** Hears of each call of a tool, with the status that a route would have answered. */
  called: (tool: string, status: number) => void;
  /** Makes the Problem of an unexpected failure, and writes the failure to the log. */
  problemOf: (error: Error) => ProblemError;
};

/**
 * Answers one message in the revision of the protocol that it speaks: 2026-07-28, or one of 2025 without a session. Nothing stays between
 * two messages.
 */
export async function serve({ request, body, ...asked }: Asked): Promise<Response> {
  const handler = createMcpHandler(() => serverFor(asked), { maxSubscriptions: 0 });
  return handler.fetch(request, { parsedBody: body });
}

function serverFor({ caller, version, called, problemOf }: Omit<Asked, 'request' | 'body'>): Server {
  const server = new Server(
    { name: 'homeport', title: 'Homeport', version },
    { capabilities: { tools: {} }, instructions },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: tools.filter((tool) => isShownTo(tool, caller.scopes)).map(described),
  }));
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: input = {} } }) => {
    const tool = tools.find((each) => each.name === name);
    if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool.');
    try {
      refuseOutOfScope(tool, caller);
      const text = renderBounded(await tool.call(caller, input));
      // The route itself notes what was proposed.
      if (!tool.proposes) called(name, 200);
      return { content: [textOf(text)] };
    } catch (error) {
      const problem = error instanceof ProblemError ? error : problemOf(error as Error);
      called(name, problem.status);
      return { content: [textOf(renderBounded({ error: toldOf(problem) }))], isError: true };
    }
  });
  return server;
}

/** A model obeys an error more than data, so the words of a route, which may be those of a service, stand apart from ours. */
function toldOf(problem: ProblemError): object {
  const { code, message, recovery, fields, retryAfterSeconds } = problem.toProblem();
  if (!(problem instanceof RouteProblem)) return { code, message, recovery, fields, retryAfterSeconds };
  return {
    ...{ code, message: 'The console refused this.', recovery: errorCatalogue[code].recovery },
    ...{ said: untrusted('why the console refused', message), retryAfterSeconds },
  };
}

const textOf = (text: string) => ({ type: 'text' as const, text });

const described = ({ name, title, description, inputSchema, proposes = false }: Tool) => ({
  ...{ name, title, description },
  inputSchema: { type: 'object' as const, ...inputSchema },
  // Hints: what a tool may do is decided where its routes are.
  annotations: {
    ...{ readOnlyHint: !proposes, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  },
});

/** A tool that the token does not see answers as the routes behind it would. */
function refuseOutOfScope(tool: Tool, { scopes }: Caller): void {
  const missing = tool.scopes.filter((scope) => !isShownTo({ scopes: [scope] }, scopes));
  if (missing.length === 0) return;
  throw new ProblemError('not_allowed', `This API token lacks the scope ${missing.join(' and ')}.`, {
    recovery: `Ask your person for a token with the scope ${missing.join(' and ')}, made on the profile page.`,
  });
}
