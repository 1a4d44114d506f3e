import { useEffect, useRef, useState } from 'react';
import { Button } from '../ui/button/Button.tsx';
import { ButtonLink } from '../ui/button/ButtonLink.tsx';
import { CodeLine } from '../ui/button/CodeLine.tsx';
import { classNames } from '../ui/class-names.ts';
import { Banner } from '../ui/feedback/Banner.tsx';
import layout from '../ui/layout/layout.module.css';
import { Panel } from '../ui/layout/Panel.tsx';
import { saveTextFile } from '../ui/save-file.ts';
import typography from '../ui/text/typography.module.css';
import credentialsStyles from './credentials.module.css';
import { keyFileName } from './key-file-name.ts';

export interface MadeKey {
  name: string;
  publicKey: string;
  fingerprint: string;
  /** The OpenSSH private key file. */
  file: string;
  /** The lock's passphrase encrypts the file. */
  encrypted: boolean;
  locked: boolean;
}

/** Shown once, after generating. The user saves the file and copies the public half to a server. */
export function SaveKeyPanel({ made, hasServers }: { made: MadeKey; hasServers: boolean }) {
  const [saved, setSaved] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const fileName = keyFileName(made.name);
  return (
    <div className={classNames(layout.stack, layout.gap5)}>
      <Banner tone="ok">
        <h2 ref={heading} tabIndex={-1} className={typography.subheading}>
          {made.name} is in this browser
        </h2>
        <p className={classNames(typography.monospace, typography.small, credentialsStyles.fingerprint)}>
          {made.fingerprint}
        </p>
      </Banner>
      <Panel title="Save the private key">
        <div className={layout.stack}>
          <p className={classNames(typography.small, typography.muted)}>
            {made.locked
              ? 'A copy outside this browser. It can be exported again while the key is locked here.'
              : 'This is the only time: from here on the browser signs with the key and shows it to nobody. Without the file, clearing this site’s data loses the key.'}{' '}
            {made.encrypted && 'The file asks for the passphrase of the lock.'}
          </p>
          <div className={classNames(layout.row, layout.wrap)}>
            <Button
              variant={saved ? 'default' : 'primary'}
              icon="download"
              onClick={() => {
                saveTextFile(fileName, made.file);
                setSaved(true);
              }}
            >
              {saved ? 'Save again' : 'Save the private key'}
            </Button>
            <span className={classNames(typography.small, typography.muted)} role="status">
              {saved && `${fileName} was given to your browser’s downloads.`}
            </span>
          </div>
          <div className={classNames(layout.stack, layout.gap2)}>
            <p className={typography.small}>Then let nobody else on that computer read it; ssh demands it:</p>
            <CodeLine text={`chmod 600 ~/Downloads/${fileName}`} what="command" wrap />
          </div>
        </div>
      </Panel>
      <Panel title="Put the public key on your server">
        <div className={classNames(layout.stack, layout.gap3)}>
          <p className={classNames(typography.small, typography.muted)}>
            Add this line to ~/.ssh/authorized_keys of the account that Homeport uses there, or paste it where
            your provider asks for an SSH key.
          </p>
          <CodeLine text={made.publicKey} what="public key" wrap />
        </div>
      </Panel>
      <div className={classNames(layout.row, layout.wrap)}>
        {hasServers ? (
          <ButtonLink to="/ssh-keys">See your keys</ButtonLink>
        ) : (
          <>
            <ButtonLink
              to="/servers"
              search={{ add: true }}
              icon="plus"
              variant={saved ? 'primary' : 'default'}
            >
              Add your first server
            </ButtonLink>
            <ButtonLink to="/ssh-keys">See your keys</ButtonLink>
          </>
        )}
      </div>
    </div>
  );
}
