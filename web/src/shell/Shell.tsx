import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet, useNavigate, useRouter, useRouterState } from '@tanstack/react-router';
import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { Confirmations } from '../confirmation/Confirmations.tsx';
import { ConnectionQuestions } from '../connections/ConnectionQuestions.tsx';
import { isSigningOut } from '../data/auth.ts';
import { followChanges } from '../data/live/live.ts';
import { safeNext } from '../data/safe-next.ts';
import { sessionQuery } from '../data/session.ts';
import { doorHref, leaveFor } from '../data/signed-out-address.ts';
import { OperationHost } from '../operation-window/OperationHost.tsx';
import { Button, IconButton } from '../ui/button/Button.tsx';
import { Kbd } from '../ui/feedback/Status.tsx';
import layout from '../ui/layout/layout.module.css';
import { onDemand } from '../ui/on-demand.tsx';
import { usePainted } from '../ui/use-painted.ts';
import { AccountMenu } from './AccountMenu.tsx';
import { DataAge } from './DataAge.tsx';
import { FrameLayout } from './FrameLayout.tsx';
import { Header } from './Header.tsx';
import { LoadingOverlay } from './LoadingOverlay.tsx';
import { Navigation } from './navigation/Navigation.tsx';
import { toggleRail, useRail } from './navigation/rail.ts';
import { PageNotices } from './PageNotices.tsx';
import { refreshNow } from './refresh.ts';
import styles from './Shell.module.css';
import type { ShortcutAct } from './shortcuts/shortcuts.ts';
import { moveRow, useShortcuts } from './shortcuts/use-shortcuts.ts';
import { ThemeButton } from './theme/ThemeButton.tsx';
import { cycleTheme } from './theme/theme.ts';
import { UnsavedWatch } from './unsaved/UnsavedWatch.tsx';

/** Appears with its data only, so it is loaded after the page itself. */
const HeaderWork = onDemand(async () => (await import('./HeaderWork.tsx')).HeaderWork);
const NavDrawer = lazy(async () => ({ default: (await import('./navigation/NavDrawer.tsx')).NavDrawer }));
const Palette = lazy(async () => ({ default: (await import('./palette/Palette.tsx')).Palette }));
const ShortcutsDialog = lazy(async () => ({
  default: (await import('./shortcuts/ShortcutsDialog.tsx')).ShortcutsDialog,
}));

type Layer = 'none' | 'palette' | 'help' | 'menu';

/** The frame around every signed-in page. */
export function Shell() {
  const client = useQueryClient();
  const { data: session } = useQuery(sessionQuery);
  const router = useRouter();
  const href = useRouterState({ select: (state) => state.location.href });
  const [layer, setLayer] = useState<Layer>('none');
  const painted = usePainted();

  useEffect(() => followChanges(client), [client]);

  const signedOut = session === null;
  useEffect(() => {
    if (signedOut && !isSigningOut()) void leaveFor(doorHref('/login', safeNext(href)));
  }, [signedOut, href]);

  const typed = useShellShortcuts(layer, setLayer);

  if (!session) return null;
  const close = () => setLayer('none');
  return (
    <>
      <a className={styles.skipLink} href="#main">
        Skip to content
      </a>
      <FrameLayout
        navigation={<Navigation />}
        foot={<FrameFoot onHelp={() => setLayer('help')} />}
        header={
          <Header onSearch={() => setLayer('palette')} onMenu={() => setLayer('menu')}>
            {painted && <HeaderWork />}
            <DataAge />
            <ThemeButton className={layout.notOnPhone} />
            <IconButton
              className={layout.phoneOnly}
              size="md"
              iconSize={20}
              icon="search"
              label="Search"
              onClick={() => setLayer('palette')}
            />
            <AccountMenu />
          </Header>
        }
      >
        <PageNotices />
        <Outlet />
      </FrameLayout>
      {painted && (
        <>
          <LoadingOverlay />
          <OperationHost />
          <ConnectionQuestions />
          <Confirmations />
        </>
      )}
      <UnsavedWatch />
      <Suspense fallback={null}>
        {layer === 'menu' && <NavDrawer onClose={close} />}
        {layer === 'palette' && (
          <Palette
            typed={typed}
            onClose={close}
            onHelp={() => setLayer('help')}
            onOpen={(to) => {
              close();
              router.history.push(to);
            }}
          />
        )}
        {layer === 'help' && <ShortcutsDialog open onClose={close} />}
      </Suspense>
    </>
  );
}

/** The effects of the page-wide shortcuts. Gives what was typed for the palette before it arrived. */
function useShellShortcuts(layer: Layer, setLayer: (layer: Layer) => void): RefObject<string> {
  const client = useQueryClient();
  const navigate = useNavigate();
  const typed = useRef('');
  if (layer !== 'palette') typed.current = '';
  useShortcuts(
    (act: ShortcutAct) => {
      if (act.kind === 'palette') setLayer(layer === 'palette' ? 'none' : 'palette');
      else if (act.kind === 'help') setLayer('help');
      else if (act.kind === 'sidebar') toggleRail();
      else if (act.kind === 'refresh') refreshNow(client);
      else if (act.kind === 'theme') cycleTheme();
      else if (act.kind === 'next-row') moveRow(1);
      else if (act.kind === 'previous-row') moveRow(-1);
      else if (act.kind === 'go') void navigate({ to: act.path });
      else if (act.what === 'app') void navigate({ to: '/apps/new' });
      else if (act.what === 'server') void navigate({ to: '/servers', search: { add: true } });
      else if (act.what === 'database') void navigate({ to: '/databases/new' });
      else if (act.what === 'proxy') void navigate({ to: '/proxies/new' });
      else void navigate({ to: '/ssh-keys/new' });
    },
    layer === 'palette'
      ? (letter) => {
          typed.current += letter;
        }
      : null,
  );
  return typed;
}

/** Stands under the navigation: the list of shortcuts, and the width of the sidebar. */
function FrameFoot({ onHelp }: { onHelp: () => void }) {
  const rail = useRail();
  return (
    <>
      <Button
        variant="ghost"
        size="sm"
        className={styles.shortcuts}
        aria-label="Keyboard shortcuts"
        onClick={onHelp}
      >
        <Kbd>?</Kbd>Shortcuts
      </Button>
      <IconButton
        label={rail ? 'Expand sidebar' : 'Collapse sidebar'}
        icon="collapse"
        iconSize={18}
        className={styles.collapser}
        aria-expanded={!rail}
        onClick={toggleRail}
      />
    </>
  );
}
