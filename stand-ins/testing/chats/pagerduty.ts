import { z } from 'zod';
import { type Chat, jsonOf } from './start-chat.ts';

const keySchema = { routing_key: z.string().length(32), dedup_key: z.string().max(255) };
const eventSchema = z.discriminatedUnion('event_action', [
  z.strictObject({ event_action: z.literal('resolve'), ...keySchema }),
  z.strictObject({
    ...{ event_action: z.literal('trigger'), ...keySchema },
    payload: z.strictObject({
      summary: z.string().min(1).max(1_024),
      source: z.string().min(1),
      severity: z.enum(['critical', 'error', 'warning', 'info']),
      timestamp: z.iso.datetime().optional(),
      custom_details: z.record(z.string(), z.unknown()).optional(),
    }),
    links: z.array(z.strictObject({ href: z.url(), text: z.string().optional() })).optional(),
    client: z.string().optional(),
    client_url: z.url().optional(),
  }),
]);

export const pagerdutyKey = 'e93facc04764012d7bfb002500d5d1a6';

type Alert = { summary: string; severity: string; links: string[]; resolved: boolean };

/** PagerDuty's side of one service. `alerts` are its alerts by their keys; a resolved one that fires again is a new alert. */
export function createPagerduty() {
  const alerts: (Alert & { key: string })[] = [];
  const chat: Chat = (request) => {
    if (request.path !== '/v2/enqueue' || request.method !== 'POST') return { status: 404 };
    const event = eventSchema.safeParse(jsonOf(request));
    if (!event.success || event.data.routing_key !== pagerdutyKey)
      return {
        status: 400,
        body: { status: 'invalid event', message: 'Event object is invalid', errors: ['routing_key'] },
      };
    const { data } = event;
    const open = alerts.find(({ key, resolved }) => key === data.dedup_key && !resolved);
    if (data.event_action === 'resolve') {
      if (open) open.resolved = true;
    } else {
      const { summary, severity } = data.payload;
      const shown = { summary, severity, links: data.links?.map(({ href }) => href) ?? [] };
      if (open) Object.assign(open, shown);
      else alerts.push({ key: data.dedup_key, ...shown, resolved: false });
    }
    return {
      status: 202,
      body: { status: 'success', message: 'Event processed', dedup_key: data.dedup_key },
    };
  };
  return { chat, alerts };
}
