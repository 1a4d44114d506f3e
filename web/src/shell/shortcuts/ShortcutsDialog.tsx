import { useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import { Kbd } from '../../ui/feedback/Status.tsx';
import { Switch } from '../../ui/form/Choice.tsx';
import layout from '../../ui/layout/layout.module.css';
import styles from './ShortcutsDialog.module.css';
import { setSingleKeys, singleKeysOn } from './shortcuts.ts';

const rows: readonly { keys: readonly string[]; act: string }[] = [
  { keys: ['Ctrl', 'K'], act: 'Search apps, servers, databases, pages and commands; / does the same' },
  {
    keys: ['G', 'then', 'H F A C D O P S'],
    act: 'Home, Free credits, Applications, Credentials, Databases, Domains, Proxies, Servers',
  },
  { keys: ['N', 'then', 'A S D P K'], act: 'New app, server, database, proxy, keypair' },
  { keys: ['J', 'K'], act: 'Next or previous row; Enter opens it' },
  { keys: ['['], act: 'Collapse the sidebar' },
  { keys: ['R'], act: 'Refresh now' },
  { keys: ['T'], act: 'Change the theme' },
  { keys: ['?'], act: 'This list' },
  { keys: ['←', '→', 'Page', 'Home', 'End'], act: 'In a plot: move the crosshair; T shows the table' },
  { keys: ['F', 'W', 'C', '/', 'End'], act: 'In a log: follow, wrap, copy, search, jump to the end' },
  { keys: ['F6'], act: 'Go to the messages' },
  { keys: ['Esc'], act: 'Close the topmost layer' },
];

export function ShortcutsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [on, setOn] = useState(singleKeysOn);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Keyboard shortcuts"
      description="Every action also has a control on the page."
    >
      <div className={classNames(layout.stack, layout.gap5)}>
        <dl className={styles.keys}>
          {rows.map((row) => (
            <div key={row.act} className={styles.shortcut}>
              <dt>
                {row.keys.map((key) =>
                  key === 'then' ? <span key={key}>then</span> : <Kbd key={key}>{key}</Kbd>,
                )}
              </dt>
              <dd>{row.act}</dd>
            </div>
          ))}
        </dl>
        <Switch
          label="Single-letter keys"
          help="Off leaves only combinations with Ctrl or Cmd, F6 and Escape."
          checked={on}
          onChange={(event) => {
            setSingleKeys(event.currentTarget.checked);
            setOn(event.currentTarget.checked);
          }}
        />
      </div>
    </Dialog>
  );
}
