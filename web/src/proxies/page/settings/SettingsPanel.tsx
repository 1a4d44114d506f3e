import type { ProxyRecord } from '@homeport/contract/proxies/schema';
import { Button } from '../../../ui/button/Button.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { Setting, SettingsList } from '../../../ui/layout/Setting.tsx';
import type { ProxyDialog } from '../../proxy-dialog.ts';
import { websiteText } from '../../website-text.ts';

export interface SettingsPanelProps {
  proxy: ProxyRecord;
  /** Loads the dialogs before one opens. */
  onPrepare: () => unknown;
  onOpen: (dialog: ProxyDialog) => void;
}

export function SettingsPanel({ proxy, onPrepare, onOpen }: SettingsPanelProps) {
  const { name, domain, source } = proxy;
  return (
    <Panel title="Settings" id="settings" body="flush">
      <SettingsList onPointerEnter={() => onPrepare()} onFocus={() => onPrepare()}>
        <Setting
          title="Name"
          note={name}
          action={
            <Button size="sm" onClick={() => onOpen({ kind: 'name' })}>
              Edit name
            </Button>
          }
        />
        <Setting
          title="Domain"
          note={`${domain}. It is served once it leads here and is proven to be yours.`}
          action={
            <Button size="sm" onClick={() => onOpen({ kind: 'domain' })}>
              Edit domain
            </Button>
          }
        />
        <Setting
          title="Current website location"
          note={`${websiteText(source)} takes what no rule takes.`}
          action={
            <Button size="sm" onClick={() => onOpen({ kind: 'source' })}>
              Edit website
            </Button>
          }
        />
        <Setting
          title="Cache"
          note="Purges both the http and the https form of the domain, as a whole or one path."
          action={
            <Button size="sm" onClick={() => onOpen({ kind: 'purge' })}>
              Purge cache
            </Button>
          }
        />
        <Setting
          tone="danger"
          title="Delete proxy"
          note={`Visitors of ${domain} will see nothing. Type delete to confirm.`}
          action={
            <Button size="sm" variant="danger-quiet" icon="trash" onClick={() => onOpen({ kind: 'delete' })}>
              Delete proxy
            </Button>
          }
        />
      </SettingsList>
    </Panel>
  );
}
