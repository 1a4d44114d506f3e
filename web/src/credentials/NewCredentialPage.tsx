import type { Key } from '@homeport/contract/credentials/schema';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { rememberOpened, wasOpened } from '../data/opened-once.ts';
import { problemText } from '../data/problem-text.ts';
import { heldKeysKey, topicKey } from '../data/query-keys.ts';
import { useSession } from '../data/session.ts';
import { useApi } from '../data/use-api.ts';
import { Page } from '../page-frame/Page.tsx';
import { Button } from '../ui/button/Button.tsx';
import { ButtonLink } from '../ui/button/ButtonLink.tsx';
import { Empty, Failed, SkeletonRows } from '../ui/feedback/States.tsx';
import { toast } from '../ui/feedback/toasts.ts';
import { Segments } from '../ui/form/Segments.tsx';
import layout from '../ui/layout/layout.module.css';
import { Panel } from '../ui/layout/Panel.tsx';
import { GenerateKeyForm } from './GenerateKeyForm.tsx';
import { PasteKeyForm } from './PasteKeyForm.tsx';
import { type MadeKey, SaveKeyPanel } from './SaveKeyPanel.tsx';

const KeyHelpDialog = lazy(async () => ({ default: (await import('./KeyHelpDialog.tsx')).KeyHelpDialog }));
const route = getRouteApi('/frame/ssh-keys/new');

/** `?add=<key id>` adds the private half of a stored key. */
export function NewCredentialPage() {
  const { add } = route.useSearch();
  const account = useSession().user.id;
  const keys = useApi('GET /api/keys');
  const servers = useApi('GET /api/servers');
  const navigate = useNavigate();
  const client = useQueryClient();
  const [way, setWay] = useState<Way>('paste');
  const [made, setMade] = useState<MadeKey | null>(null);
  const [helpShown, setHelpShown] = useState(() => wasOpened('homeport.key-help', account));
  const [asked, setAsked] = useState(false);

  const noKeys = keys.data?.length === 0;
  const help = asked || (noKeys && !helpShown && made === null);
  const closeHelp = () => {
    rememberOpened('homeport.key-help', account);
    setHelpShown(true);
    setAsked(false);
  };
  const readStored = () => client.invalidateQueries({ queryKey: topicKey('keys') });
  const readHeld = () => client.invalidateQueries({ queryKey: heldKeysKey() });
  const target = add === undefined ? null : keys.data?.find(({ id }) => id === add);

  const kept = async (outcome: 'added' | 'known') => {
    // The console's list comes first. Until the list has the key, this browser's half looks like a key that
    // is stored nowhere else.
    await readStored();
    void readHeld();
    toast.ok(outcome === 'added' ? 'Keypair added' : 'The private key is in this browser now');
    void navigate({ to: '/ssh-keys' });
  };

  const title = add === undefined ? 'Add keypair' : 'Add private key';
  return (
    <Page
      title={title}
      width="form"
      crumbs={<Link to="/ssh-keys">Credentials</Link>}
      sub="The private half never leaves this browser, which signs with it and does not show it again."
      actions={
        <Button icon="help" onClick={() => setAsked(true)}>
          How to make a key
        </Button>
      }
    >
      {made ? (
        <SaveKeyPanel made={made} hasServers={(servers.data?.length ?? 0) > 0} />
      ) : add !== undefined && keys.isPending ? (
        <Panel body="flush" busy>
          <SkeletonRows />
        </Panel>
      ) : add !== undefined && !keys.data ? (
        <Panel>
          <Failed title="The key could not be loaded" onRetry={() => keys.refetch()}>
            {problemText(keys.error)}
          </Failed>
        </Panel>
      ) : target === undefined ? (
        <Panel body="flush">
          <Empty title="There is no such key" action={<ButtonLink to="/ssh-keys">See your keys</ButtonLink>}>
            It may have been deleted in another window.
          </Empty>
        </Panel>
      ) : (
        <KeyForms
          target={target}
          way={way}
          onWay={setWay}
          onKept={kept}
          onMade={(key) => {
            setMade(key);
            void readStored().then(readHeld);
          }}
        />
      )}
      {help && (
        <Suspense>
          <KeyHelpDialog
            onClose={closeHelp}
            onGenerate={
              add === undefined && made === null
                ? () => {
                    closeHelp();
                    setWay('generate');
                  }
                : null
            }
          />
        </Suspense>
      )}
    </Page>
  );
}

type Way = 'paste' | 'generate';

interface KeyFormsProps {
  /** A stored key that lacks its private half here. null for a new keypair. */
  target: Key | null;
  way: Way;
  onWay: (way: Way) => void;
  onKept: (outcome: 'added' | 'known') => Promise<void>;
  onMade: (made: MadeKey) => void;
}

function KeyForms({ target, way, onWay, onKept, onMade }: KeyFormsProps) {
  return (
    <div className={layout.stack}>
      {target === null && (
        <div>
          <Segments
            legend="Where the key comes from"
            value={way}
            options={[
              { value: 'paste', label: 'Paste a key' },
              { value: 'generate', label: 'Generate one here' },
            ]}
            onChange={onWay}
          />
        </div>
      )}
      {way === 'paste' || target ? (
        <PasteKeyForm key={target?.id ?? 'new'} target={target} onKept={onKept} />
      ) : (
        <GenerateKeyForm onMade={onMade} />
      )}
    </div>
  );
}
