import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './data/query-client.ts';
import { createAppRouter } from './router.tsx';
import { Toasts } from './ui/Toasts.tsx';

/** The program of the frame: of every page for the signed-in. */

// zod's own switch, set without loading zod here. Otherwise it tries whether it may make code from text, which the
// page's policy refuses and the browser reports.
const zod = globalThis as { __zod_globalConfig?: { jitless?: boolean } };
zod.__zod_globalConfig = Object.assign(zod.__zod_globalConfig ?? {}, { jitless: true });

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root element.');

const queries = createQueryClient();
const router = createAppRouter(queries);
// Drawn once, with everything in place, instead of empty first. What fails is shown by the router.
await router.load().catch(() => undefined);

createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
        <Toasts />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
