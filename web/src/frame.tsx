import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { apiQuery } from './data/api-query.ts';
import type { FirstKey } from './data/first-keys.ts';
import type { FirstReads } from './data/first-reads.ts';
import { createQueryClient } from './data/query-client.ts';
import { sessionQuery } from './data/session.ts';
import { createAppRouter } from './router.tsx';
import { Toasts } from './ui/feedback/Toasts.tsx';
import { keepFocus } from './ui/keep-focus.ts';

/** Draws the frame and its page once, with their first data. */
export async function drawFrame({ session, data, ownersData }: FirstReads) {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no root element.');
  // By default zod tests whether it may create code from text. The page's policy refuses that, and the
  // browser reports the refusal. This sets zod's own switch without loading zod here.
  const zod = globalThis as { __zod_globalConfig?: { jitless?: boolean } };
  zod.__zod_globalConfig = Object.assign(zod.__zod_globalConfig ?? {}, { jitless: true });

  const queries = createQueryClient();
  void queries.prefetchQuery({ ...sessionQuery, queryFn: () => session });
  const signedIn = await session.catch(() => null);
  // Without a session these reads are refused. That is not a failure: the router leads to the sign-in form.
  for (const [key, read] of Object.entries(signedIn ? { ...data, ...(await ownersData) } : {}))
    void queries.prefetchQuery({ ...apiQuery(key as FirstKey), queryFn: () => read });
  const router = createAppRouter(queries);
  // The router shows its own failures.
  await router.load().catch(() => undefined);
  keepFocus();
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
  return router;
}
