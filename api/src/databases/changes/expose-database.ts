import type { ExposedPort } from '@homeport/contract/databases/schema';
import { databaseTypeOf } from '@homeport/contract/databases/types/database-types';
import { addressKindOf, urlHost } from '@homeport/contract/fields/server-address';
import { messages } from '@homeport/contract/messages';
import { loopbackAddress } from '@homeport/contract/network/loopback';
import { failureOf, service, sockets } from '@homeport/dokku';
import { z } from 'zod';
import { ProblemError, wrongField } from '../../http/problem.ts';
import {
  type AnyOperationDefinition,
  defineOperation,
  type StepContext,
  type StepOutcome,
} from '../../operations/definition.ts';
import { type DatabaseRow, findDatabase, recordDatabaseFacts } from '../../records/database-record.ts';
import { failureSentence } from '../../remote/failure-sentence.ts';
import { tailOf } from '../../remote/run-command.ts';
import { readOwnAddresses, readTakenPorts } from '../state/exposure-offer.ts';
import {
  awaitLeftovers,
  type Deps,
  nameOf,
  type OnDatabase,
  onDatabaseInput,
  quietly,
  readAgain,
} from './on-database.ts';

const exposeInput = onDatabaseInput.extend({
  address: z.string().nullable(),
  hostPorts: z.array(z.number()),
});
type ExposeInput = z.output<typeof exposeInput>;
type Context = StepContext<ExposeInput>;

/** Docker waits up to 10 s for the container that leads a port to the database. */
const deadlineMs = 3 * 60_000;

/**
 * Opens ports of the server that lead to the database, and then tries whether the database answers there: Dokku reports
 * success where Docker leads nowhere.
 */
export function exposeDatabase(deps: Deps): AnyOperationDefinition {
  return defineOperation<ExposeInput>({
    kind: 'database.expose',
    input: exposeInput,
    title: () => 'Exposure',
    steps: () => [
      { key: 'check', title: 'Check that the ports are free', run: (context) => check(deps, context) },
      { key: 'expose', title: 'Open the ports', run: (context) => expose(deps, context) },
      { key: 'verify', title: 'Try the ports', run: (context) => verify(deps, context) },
    ],
    beforeRepeat: awaitLeftovers,
  });
}

/** Closes the ports. Ports that are closed already count as closed. */
export function unexposeDatabase(deps: Deps): AnyOperationDefinition {
  return defineOperation<OnDatabase>({
    kind: 'database.unexpose',
    input: onDatabaseInput,
    title: () => 'End of the exposure',
    steps: () => [
      {
        key: 'unexpose',
        title: 'Close the ports',
        run: async (context) => {
          await context.run('apps', service.unexpose(context.input.type, nameOf(context)), { deadlineMs });
          return undefined;
        },
      },
      {
        key: 'read',
        title: 'Read the database’s state',
        run: async (context) => {
          const { ports } = await readAgain(deps, context);
          if (ports.length > 0)
            throw new ProblemError('remote_failed', 'The server still lists open ports. Run this again.');
          return undefined;
        },
      },
    ],
    beforeRepeat: awaitLeftovers,
  });
}

const wantedPorts = ({ type, address, hostPorts }: ExposeInput): ExposedPort[] =>
  databaseTypeOf(type).ports.flatMap(({ number }, index) => {
    const hostPort = hostPorts[index];
    return hostPort === undefined ? [] : [{ containerPort: number, address, hostPort }];
  });

const isSame = (one: readonly ExposedPort[], other: readonly ExposedPort[]) =>
  one.length === other.length &&
  one.every(({ containerPort, address, hostPort }) =>
    other.some(
      (each) =>
        each.containerPort === containerPort && each.address === address && each.hostPort === hostPort,
    ),
  );

const wordsOf = (ports: readonly ExposedPort[]) => ports.map(service.exposeWord);

/** What others may have changed since the page offered these ports. */
async function check(deps: Deps, context: Context): Promise<StepOutcome | undefined> {
  const { ports } = await readAgain(deps, context);
  const wanted = wantedPorts(context.input);
  if (ports.length > 0 && !isSame(ports, wanted))
    throw new ProblemError(
      'conflict',
      `The database is already exposed, on ${wordsOf(ports).join(', ')}. Nothing was changed.`,
      { recovery: 'Close these ports first, then choose others.' },
    );
  if (ports.length > 0) return { note: 'The database is exposed on these ports already.' };
  const { address, hostPorts } = context.input;
  if (
    address !== null &&
    address !== loopbackAddress &&
    !(await readOwnAddresses(quietly(context))).includes(address)
  )
    throw wrongField('address', `The server has no address ${address}.`);
  const taken = await readTakenPorts(quietly(context));
  const others = hostPorts.filter((port) => taken.has(port));
  if (others.length > 0) throw wrongField('hostPorts', takenSentence(others));
  return undefined;
}

const takenSentence = (ports: readonly number[]) =>
  `Another program of the server listens on port ${ports.join(', ')}. Choose another.`;

async function expose(deps: Deps, context: Context): Promise<StepOutcome | undefined> {
  const { type } = context.input;
  const wanted = wantedPorts(context.input);
  const there = (await readAgain(deps, context)).ports;
  // An earlier try of this operation may have left its ports half open, which the server does not tell.
  if (there.length > 0 && context.facts.exposeTried === true) await close(context);
  else if (isSame(there, wanted)) return undefined;
  await context.remember({ exposeTried: true });
  const ran = await context.run('apps', service.expose(type, nameOf(context), wordsOf(wanted)), {
    accept: 'any',
    deadlineMs,
  });
  if (ran.exitCode === 0) return undefined;
  const failure = failureOf(ran);
  if (failure?.code !== 'already_exposed') {
    // Dokku counts a service as exposed before Docker takes the port, and keeps that after a refusal.
    await close(context);
    await readAgain(deps, context);
  }
  if (failure?.code === 'port_taken') throw wrongField('hostPorts', takenSentence(context.input.hostPorts));
  throw new ProblemError(
    'remote_failed',
    `The database is not exposed. ${failure ? failureSentence(failure) : ''}`.trim(),
    { remote: { ...ran.record, outputTail: tailOf(ran) } },
  );
}

const close = (context: Context) =>
  context.run('apps', service.unexpose(context.input.type, nameOf(context)), { deadlineMs });

async function verify(deps: Deps, context: Context): Promise<StepOutcome | undefined> {
  const row = await readAgain(deps, context);
  const answers = !row.exposure_fails && (await answersOutside(context, row));
  await recordExposure(deps, context, !answers);
  if (!answers) return { state: 'warned', note: whyNoAnswer(row.ports) };
  await context.toast('ok', messages.databaseExposed);
  return undefined;
}

/** Tries the port that connection strings name: a container has further ports that nothing may listen on. */
async function answersOutside(context: Context, { type, ports }: DatabaseRow): Promise<boolean> {
  const { mainPort } = databaseTypeOf(type);
  const main = ports.find(({ containerPort }) => containerPort === mainPort);
  if (!main) return false;
  const address = main.address ?? loopbackAddress;
  const ran = await context.run('apps', sockets.answers(address, main.hostPort), {
    accept: [0, 1],
    quiet: true,
    shown: `connect to ${urlHost(address)}:${main.hostPort}`,
  });
  return ran.exitCode === 0;
}

async function recordExposure(deps: Deps, context: Context, exposureFails: boolean): Promise<void> {
  const { databaseId } = context.input;
  const row = await findDatabase({ owner: context.owner, db: deps.db }, databaseId);
  await recordDatabaseFacts(deps, context.owner, databaseId, {
    state: row.state,
    ending: row.ending,
    imageVersion: row.image_version,
    ports: row.ports,
    links: row.links,
    exposureFails,
  });
}

const whyNoAnswer = (ports: readonly ExposedPort[]) =>
  ports.some(({ address }) => address !== null && addressKindOf(address) === 'ipv6')
    ? `${exposureFailure} ${noProxyFailure}`
    : exposureFailure;

/** Containers of Dokku’s databases have IPv4 alone. Docker leads an IPv6 address to them by its userland proxy, which is on by default. */
const noProxyFailure =
  'For an IPv6 address Docker also needs its userland proxy: in /etc/docker/daemon.json, "userland-proxy" is not false.';

/** Docker 29 sets no variables for links any more, by which the plugins’ helper finds the database. */
const exposureFailure =
  'The ports are open, and no database answers there. Docker 29 and later need a setting for this: in a drop-in of docker.service, [Service] Environment=DOCKER_KEEP_DEPRECATED_LEGACY_LINKS_ENV_VARS=1, then systemctl daemon-reload and a restart of docker. Close the ports and expose the database again after that.';
