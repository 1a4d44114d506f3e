import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { Door } from './auth/Door.tsx';
import type { DoorPath } from './auth/door-address.ts';
import { Toasts } from './ui/Toasts.tsx';

/** What door.tsx draws first, as text: the build puts it into the page. */
export function drawDoor(path: DoorPath): string {
  return renderToString(
    <StrictMode>
      <Door path={path} />
      <Toasts />
    </StrictMode>,
  );
}
