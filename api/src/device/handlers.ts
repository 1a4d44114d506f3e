import type { Handlers } from '../http/handlers.ts';
import { beginDevice, type DeviceDeps } from './begin.ts';
import { collectToken } from './collect.ts';
import { approveDevice, declineDevice, lookAtDevice } from './decide.ts';

export function deviceHandlers(deps: DeviceDeps) {
  return {
    'POST /api/device': ({ body, address }) => beginDevice(deps, body, address),
    'POST /api/device/token': ({ body }) => collectToken(deps, body.device_code),
    'POST /api/device/look': ({ session, body }) => lookAtDevice(deps, session, body.code),
    'POST /api/device/:id/approve': async ({ session, params }) => {
      await approveDevice(deps, session, params.id);
      return { approved: true };
    },
    'POST /api/device/:id/decline': async ({ session, params }) => {
      await declineDevice(deps, session, params.id);
      return { declined: true };
    },
  } satisfies Partial<Handlers>;
}
