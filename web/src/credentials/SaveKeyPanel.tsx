import { useEffect, useRef, useState } from 'react';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import { ButtonLink } from '../ui/ButtonLink.tsx';
import { CodeLine } from '../ui/CodeLine.tsx';
import { Panel } from '../ui/Panel.tsx';
import { keyFileName, saveTextFile } from './save-file.ts';

export interface MadeKey {
  name: string;
  publicKey: string;
  fingerprint: string;
  /** The OpenSSH private key file. */
  file: string;
  /** The file asks for the passphrase of the lock. */
  encrypted: boolean;
  locked: boolean;
}

/** Shown once, after generating: the file can be saved, and the public half be taken to the server. */
export function SaveKeyPanel({ made, hasServers }: { made: MadeKey; hasServers: boolean }) {
  const [saved, setSaved] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const fileName = keyFileName(made.name);
  return (
    <div className="stack g5">
      <Banner tone="ok">
        <h2 ref={heading} tabIndex={-1} className="h3">
          {made.name} is in this browser
        </h2>
        <p className="mono sm fp">{made.fingerprint}</p>
      </Banner>
      <Panel title="Save the private key">
        <div className="stack">
          <p className="sm muted">
            {made.locked
              ? 'A copy outside this browser. It can be exported again while the key is locked here.'
              : 'This is the only time: from here on the browser signs with the key and shows it to nobody. Without the file, clearing this site’s data loses the key.'}{' '}
            {made.encrypted && 'The file asks for the passphrase of the lock.'}
          </p>
          <div className="row wrap">
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
            <span className="sm muted" role="status">
              {saved && `${fileName} was given to your browser’s downloads.`}
            </span>
          </div>
          <div className="stack g2">
            <p className="sm">Then let nobody else on that computer read it; ssh demands it:</p>
            <CodeLine text={`chmod 600 ~/Downloads/${fileName}`} what="command" wrap />
          </div>
        </div>
      </Panel>
      <Panel title="Put the public key on your server">
        <div className="stack g3">
          <p className="sm muted">
            Add this line to ~/.ssh/authorized_keys of the account that Homeport uses there, or paste it where
            your provider asks for an SSH key.
          </p>
          <CodeLine text={made.publicKey} what="public key" wrap />
        </div>
      </Panel>
      <div className="row wrap">
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
