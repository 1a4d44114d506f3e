import { type CallOutcome, type CallSubjectKind, callSubjects } from '@homeport/contract/program-calls/facts';
import type { SessionIdentity } from '@homeport/contract/services';
import type { FastifyRequest } from 'fastify';

export type CallSubject = { kind: CallSubjectKind; id: string };

/** One call of a program with an API token. It never holds a body, a query, an answer or an address that the program chose. */
export type NotedCall = {
  session: SessionIdentity;
  /** The name of a tool, or the key of a route. */
  call: string;
  subject: CallSubject | null;
  outcome: CallOutcome;
  address: string;
};

/** Keeps the call for its person. It costs the request no query. */
export type NoteCall = (call: NotedCall) => void;

export const outcomeOf = (status: number): CallOutcome => {
  if (status < 400) return 'ok';
  return status < 500 ? 'refused' : 'failed';
};

/** To open a connection is noted although it is a GET. Its end says nothing more. */
const isNoted = (key: string) =>
  key === 'GET /api/servers/:id/connection' ||
  !(key.startsWith('GET ') || key === 'DELETE /api/servers/:id/connection');

type Called = Pick<NotedCall, 'session' | 'call'> & { made: unknown };

/**
 * Notes the calls of programs that may change something, and the connections that terminals open. Routes that read are not noted: they write nothing, and a program that asks
 * each second would push out what it changed.
 */
export function createCallNotes(note: NoteCall) {
  const calls = new WeakMap<FastifyRequest, Called>();
  const tell = (request: FastifyRequest, { session, call, made }: Called, outcome: CallOutcome) => {
    const subject = subjectOf(call, request.params, made);
    note({ session, call, subject, outcome, address: request.ip });
  };
  return {
    /** Before anything decides about the call. */
    begin(request: FastifyRequest, key: string, session: SessionIdentity): void {
      if (isNoted(key)) calls.set(request, { call: key, session, made: null });
    },
    /** What the handler answers, which may be a record that it made. */
    answered(request: FastifyRequest, answer: unknown): void {
      const called = calls.get(request);
      if (called) called.made = answer;
    },
    /** Every answer passes here, also one that nobody waits for any more. */
    end(request: FastifyRequest, status: number): void {
      const called = calls.get(request);
      if (!called) return;
      calls.delete(request);
      tell(request, called, outcomeOf(status));
    },
    /** A socket has no answer with a status. Null: nothing to note. */
    endSocket(request: FastifyRequest, outcome: CallOutcome | null): void {
      const called = calls.get(request);
      calls.delete(request);
      if (called && outcome !== null) tell(request, called, outcome);
    },
  };
}

/** Every id of a record has this form, in lower case; a route takes a UUID in capitals, too. A refused call may name anything, also what the store cannot hold. */
const idForm = /^[\w-]{1,64}$/;

/** The record that the address of a call names, or the one that its answer made. */
function subjectOf(key: string, params: unknown, made: unknown): CallSubject | null {
  const word = key.split('/')[2] ?? '';
  // A proposal is about its app, and goes after some days.
  if (word === 'proposals') return appOf(made);
  const id = idIn(params) ?? idIn(made);
  return id !== null && Object.hasOwn(callSubjects, word)
    ? { kind: callSubjects[word as keyof typeof callSubjects], id: id.toLowerCase() }
    : null;
}

const appOf = (proposal: unknown): CallSubject | null => {
  const id =
    typeof proposal === 'object' && proposal !== null && 'appId' in proposal
      ? idIn({ id: proposal.appId })
      : null;
  return id === null ? null : { kind: 'app', id };
};

const idIn = (value: unknown): string | null =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'string' &&
  idForm.test(value.id)
    ? value.id
    : null;
