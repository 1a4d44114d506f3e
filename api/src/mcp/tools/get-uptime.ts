import type { UptimeCheck } from '@homeport/contract/uptime/schema';
import { z } from 'zod';
import { untrusted } from '../answer.ts';
import { appOf } from '../named-records.ts';
import { fitting, moment, recordName } from '../records.ts';
import { defineTool } from '../tool.ts';

const shownCheck = (check: UptimeCheck | null) =>
  check && {
    ...{ at: moment(check.at), ok: check.ok, status: check.status, cause: check.cause },
    milliseconds: check.total,
    said: untrusted('why the check failed', check.text),
  };

export const getUptime = defineTool({
  name: 'get_uptime',
  title: 'Checks from outside',
  description:
    'Shows whether apps answer from outside. With `app`: its state, availability of the last day and month in percent, and the last incidents. Without: the checked apps that are not up. uptime is null for an app without a check. Naming an app needs apps:read as well.',
  scopes: ['stats:read'],
  input: z.strictObject({ app: recordName.optional() }),
  async run(caller, { app: name }) {
    if (name === undefined) {
      const all = await caller.read('GET /monitor/uptime');
      const { some, leftOut } = fitting(
        all
          .filter(({ state }) => state !== 'up')
          .map(({ appId, url, state, online, since, latest }) => ({
            ...{ appId, url, state, online, since: moment(since), latest: shownCheck(latest) },
          })),
        20_000,
      );
      return {
        checkedApps: all.length,
        notUp: some,
        notUpLeftOut: leftOut,
      };
    }
    const { monitorId } = appOf(caller, await caller.read('GET /api/apps'), name);
    const { uptime } = await caller.read('GET /monitor/uptime/:monitorId', { path: { monitorId } });
    if (!uptime) return { uptime: null };
    const { url, state, online, availability, incidents, since, latest } = uptime;
    return {
      uptime: {
        ...{ url, state, online, availability, since: moment(since), latest: shownCheck(latest) },
        incidents: fitting(
          incidents.map(({ startedAt, endedAt, cause, text }) => ({
            ...{ startedAt: moment(startedAt), endedAt: moment(endedAt), cause },
            said: untrusted('why the check failed', text),
          })),
          16_000,
        ).some,
      },
    };
  },
});
