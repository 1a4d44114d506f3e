import { securityEventsKept } from '../account/facts.ts';
import { releasesKept } from '../apps/releases/facts.ts';
import { destinationLimits } from '../destinations/facts.ts';
import { deviceCodesPerNetwork, deviceCodesTogether, deviceTypedPerMinute } from '../device/facts.ts';
import {
  ceilings,
  channelsPerConnection,
  operationLog,
  packetPace,
  queuedPerLane,
  requestPace,
  terminalOpenings,
  transfersPerPerson,
  waitingPerConnection,
} from '../limits.ts';
import { mcpLimits, mcpPace } from '../mcp/facts.ts';
import { notificationRules } from '../notifications/kinds.ts';
import { programCallLimits } from '../program-calls/facts.ts';
import { proposalLimits } from '../proposals/facts.ts';
import { formerSubdomains, nameLookups } from '../servers/facts.ts';
import { statusPageLimits } from '../status-pages/facts.ts';
import { terminalsPerPerson, terminalsPerServer } from '../terminals/facts.ts';
import type { Share } from './share.ts';

const refused = 'refused with the number; what is there stays';
const atCeilings = 'api/src/http/ceilings.test.ts';
const statusPages = 'api/src/status-pages/status-pages.test.ts';
const writeCalls = 'api/src/program-calls/write-calls.ts';
const programCalls = 'api/src/program-calls/program-calls.test.ts';
const proposals = {
  heldIn: 'api/src/proposals/propose.ts',
  beyond: refused,
  test: 'api/src/proposals/proposals.test.ts',
};
const openings = 'api/src/connections/agent-socket.test.ts';
const nameLookup = 'api/src/remote/lookup-turns.test.ts';
const waits = 'waits for its turn, 5 s at most';

/** What one account may hold of the console. */
export const accountShares: readonly Share[] = [
  kept('servers', 'api/src/servers/add-server.ts', atCeilings),
  kept('keys', 'api/src/credentials/add-key.ts', atCeilings),
  kept('apps', 'api/src/apps/changes/create-app.ts', atCeilings),
  kept('databases', 'api/src/databases/changes/create-database.ts', atCeilings),
  kept('proxies', 'api/src/proxies/add-proxy.ts', atCeilings),
  kept('invitations', 'api/src/identity/invitations.ts', atCeilings),
  kept('tokens', 'api/src/tokens/insert-token.ts', atCeilings),
  kept('passkeys', 'api/src/passkeys/add-passkey.ts', atCeilings),
  kept(
    'destinations',
    'api/src/destinations/add-destination.ts',
    'api/src/destinations/destinations.test.ts',
  ),
  {
    ...{ what: 'operations that are queued, run or wait', number: ceilings.operations, of: 'account' },
    ...{ heldIn: 'api/src/operations/lane-room.ts', beyond: refused, test: atCeilings },
    setting: 'HOMEPORT_MAX_OPERATIONS_PER_PERSON',
  },
  {
    ...{ what: 'operations that wait for one app or server', number: queuedPerLane, of: 'account' },
    ...{ heldIn: 'api/src/operations/lane-room.ts', beyond: refused, test: atCeilings },
  },
  {
    what: 'logs of its operations together, with the commands that ran',
    ...{ number: operationLog.bytesOfAccount, unit: 'bytes', of: 'account' },
    heldIn: 'store/migrations/0086_shares_of_commands.sql',
    beyond: 'the oldest logs go, and a sentence stands in their place',
    test: 'api/src/operations/log-shares.test.ts',
  },
  {
    ...{ what: 'security events of one kind', number: securityEventsKept, of: 'account' },
    ...{ heldIn: 'api/src/security-events/note-event.ts', beyond: 'the oldest of the kind go' },
    test: 'api/src/account/account.test.ts',
  },
  {
    ...{ what: 'files that are sent or fetched at once', number: transfersPerPerson, of: 'account' },
    ...{ heldIn: 'api/src/http/mount.ts', beyond: refused, test: 'api/src/databases/dumps/dumps.test.ts' },
  },
  {
    ...{ what: 'calls of tools over `/mcp` at once', number: mcpLimits.atOnce, of: 'account' },
    ...{ heldIn: 'api/src/mcp/endpoint.ts', beyond: '429 with Retry-After', test: 'api/src/mcp/mcp.test.ts' },
  },
  {
    ...{
      what: 'bytes of one call over `/mcp`',
      number: mcpLimits.requestBytes,
      unit: 'bytes',
      of: 'account',
    },
    ...{ heldIn: 'api/src/mcp/endpoint.ts', beyond: refused, test: 'api/src/mcp/mcp.test.ts' },
  },
  {
    ...{
      what: 'calls of tools a second, after a burst',
      number: mcpPace.perSecond,
      of: 'account',
    },
    ...{ heldIn: 'api/src/mcp/endpoint.ts', beyond: 'they wait for 5 s at most, then 429 with Retry-After' },
    test: 'api/src/mcp/pace.test.ts',
  },
  {
    ...{ what: 'lines of what one API token did', number: programCallLimits.ofToken, of: 'token' },
    ...{ heldIn: writeCalls, beyond: 'its oldest lines go', test: programCalls },
  },
  {
    what: 'lines of what its API tokens did, together',
    ...{ number: programCallLimits.ofAccount, of: 'account', heldIn: writeCalls, test: programCalls },
    beyond: 'the oldest lines of the tokens with the most go',
  },
  {
    what: 'lines of what its API tokens did that wait in a process until they are written',
    ...{ number: programCallLimits.waiting, of: 'account' },
    ...{
      heldIn: 'api/src/program-calls/call-history.ts',
      beyond: 'a call that is not there yet is not noted',
    },
    test: 'api/src/program-calls/call-history.test.ts',
  },
  {
    ...{ what: 'open proposals of one API token', number: proposalLimits.openOfToken, of: 'token' },
    ...proposals,
  },
  {
    ...{ what: 'open proposals of its API tokens', number: proposalLimits.openOfAccount, of: 'account' },
    ...proposals,
  },
  {
    ...{ what: 'proposals of its API tokens in 24 hours', number: proposalLimits.perDay, of: 'account' },
    ...proposals,
  },
  {
    ...{
      what: 'codes of terminals that are typed, in a minute',
      number: deviceTypedPerMinute,
      of: 'account',
    },
    ...{ heldIn: 'api/src/device/decide.ts', beyond: '429 with Retry-After' },
    test: 'api/src/device/device.test.ts',
  },
  {
    ...{ what: 'codes of terminals that wait', number: deviceCodesPerNetwork, of: 'network' },
    ...{ heldIn: 'api/src/device/begin.ts', beyond: '429 with Retry-After' },
    test: 'api/src/device/device.test.ts',
  },
  {
    ...{ what: 'codes of terminals that wait, altogether', number: deviceCodesTogether, of: 'console' },
    ...{
      heldIn: 'api/src/device/begin.ts',
      beyond: 'the newest untyped code of the /48 or /24 with the most goes',
    },
    test: 'api/src/device/device.test.ts',
  },
  {
    ...{
      what: 'incidents, servers and apps that are muted at once',
      number: notificationRules.timedMutes,
      of: 'account',
    },
    ...{ heldIn: 'store/src/notices/unanswered/mute-until.ts', beyond: 'refused with the number' },
    test: 'api/src/notifications/incidents/mute.test.ts',
  },
  {
    what: 'subdomains that servers gave up',
    ...{ number: formerSubdomains, of: 'account' },
    ...{ heldIn: 'api/src/servers/subdomain/claim-subdomain.ts', beyond: refused },
    test: 'api/src/servers/subdomain/claim-subdomain.test.ts',
  },
  {
    what: 'tests of destinations and messages that are sent again, in a minute',
    ...{ number: destinationLimits.byHandPerMinute, of: 'account' },
    ...{ heldIn: 'api/src/destinations/by-hand.ts', beyond: '429 with Retry-After' },
    test: 'api/src/destinations/destinations.test.ts',
  },
  {
    ...{ what: 'looks for a chat of Telegram at once', number: destinationLimits.chatLooks, of: 'account' },
    ...{ heldIn: 'api/src/destinations/link-chat.ts', beyond: refused },
    test: 'api/src/destinations/link-chat.test.ts',
  },
  {
    ...{
      what: 'messages of news on their way at once in a process, tests apart',
      number: destinationLimits.underWayOfOwner,
    },
    ...{ of: 'account', heldIn: 'store/src/notices/claim-messages.ts', beyond: 'waits for its turn' },
    test: 'api/src/notifications/slow-destinations.test.ts',
  },
  {
    what: 'bytes of a destination’s answer that are read',
    ...{ number: destinationLimits.answerBytes, unit: 'bytes', of: 'destination' },
    ...{ heldIn: 'api/src/notifications/http/post-once.ts', beyond: 'the connection ends' },
    test: 'api/src/notifications/http/post-once.test.ts',
  },
  {
    what: 'bytes of a message to a webhook',
    ...{ number: destinationLimits.bodyBytes, unit: 'bytes', of: 'destination' },
    ...{ heldIn: 'api/src/notifications/webhook/write-event.ts', beyond: 'the rest of the news is counted' },
    test: 'api/src/notifications/webhook/write-event.test.ts',
  },
  {
    ...{ what: 'status pages', number: statusPageLimits.pages, of: 'account' },
    ...{ heldIn: 'api/src/status-pages/add-page.ts', beyond: refused, test: statusPages },
  },
  {
    what: 'addresses without a status page that an account keeps from others for 90 days',
    ...{ number: statusPageLimits.freedAddresses, of: 'account' },
    heldIn: 'store/migrations/0096_status_pages_taken_down.sql',
    ...{ beyond: 'the one that was left first is free', test: statusPages },
  },
  {
    ...{ what: 'components of a status page', number: statusPageLimits.components, of: 'page' },
    ...{ heldIn: 'contract/src/status-pages/schema.ts', beyond: refused, test: statusPages },
  },
  {
    ...{ what: 'incidents and maintenances of a status page', number: statusPageLimits.posts, of: 'page' },
    ...{ heldIn: 'api/src/status-pages/write-posts.ts', beyond: refused, test: statusPages },
  },
  {
    ...{ what: 'updates of a status page’s incidents and maintenances together', of: 'page' },
    ...{ number: statusPageLimits.updates, heldIn: 'api/src/status-pages/write-posts.ts' },
    ...{ beyond: refused, test: statusPages },
  },
  {
    what: 'bytes of a status page as visitors get it, and of its feed and JSON each',
    ...{ number: statusPageLimits.renderBytes, unit: 'bytes', of: 'page' },
    ...{ heldIn: 'monitor/src/status-pages/fit-posts.ts', beyond: 'the oldest posts are not shown' },
    test: 'monitor/src/status-pages/render-files.test.ts',
  },
  {
    what: 'memory for the finished bytes of all status pages',
    ...{ number: statusPageLimits.memoryBytes, unit: 'bytes', of: 'process' },
    heldIn: 'monitor/src/status-pages/held-pages.ts',
    beyond: 'the page that was asked for longest ago goes, and is read again when somebody asks',
    test: 'monitor/src/status-pages/page-memory.test.ts',
  },
  {
    what: 'of this memory for the pages of one account, in a process',
    ...{ number: statusPageLimits.memoryBytesOfAccount, unit: 'bytes', of: 'account' },
    heldIn: 'monitor/src/status-pages/held-pages.ts',
    beyond: 'the page of the account that was asked for longest ago goes',
    test: 'monitor/src/status-pages/page-memory.test.ts',
  },
  {
    what: 'status pages that are read from the store at once, because memory does not hold them',
    ...{ number: statusPageLimits.readsAtOnce, of: 'process' },
    ...{ heldIn: 'monitor/src/status-pages/page-memory.ts', beyond: '503 with Retry-After' },
    test: 'monitor/src/status-pages/page-memory.test.ts',
  },
  {
    ...{ what: 'sign-ins', number: ceilings.sessions, of: 'account', heldIn: 'api/src/identity/auth.ts' },
    ...{ beyond: 'the one that was used longest ago ends', test: atCeilings },
    setting: 'HOMEPORT_MAX_SESSIONS_PER_PERSON',
  },
  {
    ...{ what: 'event streams over HTTP', number: ceilings.streams, of: 'account' },
    ...{ heldIn: 'api/src/http/mount.ts', beyond: '429', test: atCeilings },
    setting: 'HOMEPORT_MAX_STREAMS_PER_PERSON',
  },
  {
    ...{ what: 'names of servers that are looked up at once', number: nameLookups.perPerson, of: 'account' },
    ...{ heldIn: 'api/src/remote/lookup-turns.ts', beyond: waits, test: nameLookup },
  },
  {
    ...{ what: 'names of servers that are looked up at once', number: nameLookups.atOnce, of: 'process' },
    ...{ heldIn: 'api/src/remote/lookup-turns.ts', beyond: waits, test: nameLookup },
  },
  {
    ...{ what: 'connections to servers that are opened at once', number: ceilings.openings, of: 'account' },
    ...{ heldIn: 'api/src/connections/agent-socket.ts', beyond: 'waits for its turn', test: openings },
    setting: 'HOMEPORT_MAX_OPENINGS_PER_PERSON',
  },
  {
    ...{ what: 'connections to servers that terminals open at once', number: terminalOpenings },
    ...{ of: 'account', heldIn: 'api/src/connections/agent-socket.ts', beyond: refused },
    test: 'api/src/connections/terminal-connections.test.ts',
  },
  {
    ...{ what: 'open connections to servers', number: ceilings.connections, of: 'account' },
    ...{ heldIn: 'api/src/connections/agent-socket.ts', beyond: refused, test: openings },
    setting: 'HOMEPORT_MAX_CONNECTIONS_PER_PERSON',
  },
  {
    ...{ what: 'commands that run at once on a connection to a server', number: channelsPerConnection },
    ...{ of: 'connection', heldIn: 'ssh/src/running/channel-slots.ts', beyond: 'wait for their turn' },
    test: 'ssh/src/running/channel-slots.test.ts',
  },
  {
    ...{ what: 'open terminals', number: terminalsPerPerson, of: 'account' },
    ...{ heldIn: 'api/src/terminals/handlers.ts', beyond: 'refused with the number' },
    test: 'api/src/terminals/open-terminal.test.ts',
  },
  {
    ...{ what: 'open terminals', number: terminalsPerServer, of: 'server' },
    ...{ heldIn: 'api/src/terminals/handlers.ts', beyond: 'refused with the number' },
    test: 'api/src/terminals/terminals.test.ts',
  },
  {
    ...{ what: 'versions that its server keeps, each of another commit', number: releasesKept, of: 'app' },
    ...{
      heldIn: 'dokku/plugin/post-deploy',
      beyond: 'the oldest goes; those that serve and served before stay',
    },
    test: 'sandbox/src/homeport-releases.test.ts',
  },
  {
    ...{ what: 'commands that wait on a connection to a server', number: waitingPerConnection },
    ...{ of: 'connection', heldIn: 'ssh/src/running/channel-slots.ts', beyond: 'refused with the number' },
    test: 'ssh/src/running/channel-slots.test.ts',
  },
  {
    ...{ what: 'packets a second of all its servers, whatever they carry', number: packetPace.perSecond },
    ...{ of: 'account', heldIn: 'ssh/src/opening/packet-pace.ts', beyond: 'read later' },
    test: 'ssh/src/opening/packet-pace.test.ts',
  },
  {
    ...{ what: 'requests a second, after a burst', number: requestPace.perSecond, of: 'account' },
    heldIn: 'api/src/http/admission.ts',
    beyond: 'waits for up to 5 s, then 429',
    test: 'api/src/http/admission.test.ts',
  },
];

type Kept =
  | 'servers'
  | 'keys'
  | 'apps'
  | 'databases'
  | 'proxies'
  | 'invitations'
  | 'tokens'
  | 'passkeys'
  | 'destinations';

function kept(what: Kept, heldIn: string, test: string): Share {
  const setting = `HOMEPORT_MAX_${what.toUpperCase()}_PER_PERSON`;
  return { what, number: ceilings[what], of: 'account', heldIn, beyond: refused, test, setting };
}
