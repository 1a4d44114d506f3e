import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { problemText } from '../data/problem-text.ts';
import { heldKeysKey, topicKey } from '../data/query-keys.ts';
import { useAct, useApi } from '../data/use-api.ts';
import { useHeldKeys } from '../keys/keystore/use-held-keys.ts';
import { Page } from '../page-frame/Page.tsx';
import { Button } from '../ui/button/Button.tsx';
import { ButtonLink } from '../ui/button/ButtonLink.tsx';
import { classNames } from '../ui/class-names.ts';
import { Banner } from '../ui/feedback/Banner.tsx';
import { Empty, Failed, SkeletonRows } from '../ui/feedback/States.tsx';
import { toast } from '../ui/feedback/toasts.ts';
import layout from '../ui/layout/layout.module.css';
import { Panel } from '../ui/layout/Panel.tsx';
import panelStyles from '../ui/layout/panel.module.css';
import { Icon } from '../ui/picture/Icon.tsx';
import { KeysTable } from './KeysTable.tsx';
import { type KeyRow, keyRows } from './key-rows.ts';
import { SignedPanel } from './SignedPanel.tsx';

const KeyHelpDialog = lazy(async () => ({ default: (await import('./KeyHelpDialog.tsx')).KeyHelpDialog }));
const DeleteKeyDialog = lazy(async () => ({
  default: (await import('./DeleteKeyDialog.tsx')).DeleteKeyDialog,
}));
const ExportKeyDialog = lazy(async () => ({
  default: (await import('./ExportKeyDialog.tsx')).ExportKeyDialog,
}));
const RenameKeyDialog = lazy(async () => ({
  default: (await import('./RenameKeyDialog.tsx')).RenameKeyDialog,
}));

type Layer = { kind: 'none' } | { kind: 'help' } | { kind: 'delete' | 'export' | 'rename'; row: KeyRow };

export function CredentialsPage() {
  const keys = useApi('GET /api/keys');
  const servers = useApi('GET /api/servers');
  const held = useHeldKeys();
  const client = useQueryClient();
  const [layer, setLayer] = useState<Layer>({ kind: 'none' });
  const store = useAct('POST /api/keys', {
    onDone: () => toast.ok('Public key stored'),
    onFailed: (error) => toast.bad(problemText(error)),
  });

  const close = () => setLayer({ kind: 'none' });
  const rows = keys.data && keyRows(keys.data, held.data?.local ?? [], held.data?.held);
  return (
    <Page
      title="Credentials"
      sub="SSH keypairs that reach your servers. A private key never leaves this browser, which signs with it."
      actions={
        <>
          <Button icon="help" onClick={() => setLayer({ kind: 'help' })}>
            How to make a key
          </Button>
          <ButtonLink to="/ssh-keys/new" variant="primary" icon="plus">
            Add keypair
          </ButtonLink>
        </>
      }
    >
      <div className={classNames(layout.stack, layout.gap5)}>
        {held.isError && (
          <Banner tone="warn">
            This browser does not open its storage to the page (a private window, or its settings), so no
            private key can be kept or used here.
          </Banner>
        )}
        {rows && rows.length > 0 && servers.data?.length === 0 && (
          <Banner
            action={
              <ButtonLink to="/servers" search={{ add: true }} size="sm" icon="plus">
                Add server
              </ButtonLink>
            }
          >
            Your key is ready. Next, add a server that it opens.
          </Banner>
        )}
        <Panel body="flush" busy={keys.isPending}>
          {keys.isPending ? (
            <SkeletonRows />
          ) : !rows ? (
            <Failed title="Your keys could not be loaded" level={2} onRetry={() => keys.refetch()}>
              {problemText(keys.error)}
            </Failed>
          ) : rows.length === 0 ? (
            <Empty title="No keys yet">
              A keypair is how Homeport reaches your servers. Add keypair takes one that you have, or makes
              one.
            </Empty>
          ) : (
            <>
              <KeysTable
                rows={rows}
                onDelete={(row) => setLayer({ kind: 'delete', row })}
                onExport={(row) => setLayer({ kind: 'export', row })}
                onRename={(row) => setLayer({ kind: 'rename', row })}
                onStore={({ name, publicKey }) => store.mutate({ body: { name, publicKey } })}
              />
              <p className={panelStyles.foot}>
                <Icon name="info" size={16} />
                Homeport stores no private key. While connected it can act on the server as you. Clearing this
                site’s data removes private keys for good.
              </p>
            </>
          )}
        </Panel>
        {rows && rows.length > 0 && <SignedPanel servers={servers.data} />}
      </div>
      <Suspense>
        {layer.kind === 'help' && <KeyHelpDialog onClose={close} onGenerate={null} />}
        {layer.kind === 'delete' && (
          <DeleteKeyDialog
            row={layer.row}
            onClose={close}
            onDeleted={() => {
              toast.ok('Key deleted');
              void client.invalidateQueries({ queryKey: topicKey('keys') });
              void client.invalidateQueries({ queryKey: heldKeysKey() });
            }}
          />
        )}
        {layer.kind === 'rename' && <RenameKeyDialog stored={layer.row} onClose={close} />}
        {layer.kind === 'export' && <ExportKeyDialog row={layer.row} onClose={close} />}
      </Suspense>
    </Page>
  );
}
