import { makeKey } from '@homeport/ssh/testing';
import type { HandsOnTab } from './engines/browser.ts';
import { startFirefox } from './engines/firefox.ts';
import { type Hands, handsOn } from './engines/hands.ts';
import { startWebKit } from './engines/webkit.ts';
import { pushApp } from './fixtures/app.ts';
import { type LinkedHost, startHost } from './fixtures/host.ts';
import { newPerson } from './fixtures/person.ts';
import { expect, consoleTest as test } from './fixtures/test.ts';
import { closeWelcomes } from './fixtures/welcome.ts';

/** The main job in the engines of Firefox and Safari, with the browsers that Debian has. All other tests use Chromium. */

const engines = [
  { name: 'Firefox', packages: 'firefox-esr', start: startFirefox },
  { name: 'WebKit', packages: 'webkit2gtk-driver xvfb', start: startWebKit },
] as const;

for (const { name, packages, start } of engines) {
  test(`a newcomer does the main job in ${name}`, async ({ homeport }, testInfo) => {
    testInfo.setTimeout(180_000);
    const browser = await start();
    const missing = `${name} is not installed. On Debian: apt-get install ${packages}`;
    testInfo.skip(!browser && process.env.CI !== 'true', missing);
    if (!browser) throw new Error(missing);
    const host = await startHost();
    try {
      const tab = await browser.newTab();
      const hands = handsOn(tab, homeport.url);
      await test.step('signs up', () => signUp(hands, tab));
      await test.step('makes a key in the page, which the server lets in', () => makeKeys(hands, host));
      await test.step('links the server and accepts its host key', () => linkServer(hands, host));
      await test.step('sees its figures arrive', () => seeReport(hands));
      await test.step('creates an app and follows a push', () => deployApp(hands, tab));
      expect(tab.errors() ?? [], 'errors of the page').toEqual([]);
    } finally {
      // An open page would lose its server, so the browser ends first.
      await browser.close();
      await host.stop();
    }
  });
}

const program = {
  Procfile: 'web: node server.mjs\n',
  'server.mjs': `import { createServer } from 'node:http';
createServer((_request, answer) => answer.end('ok')).listen(process.env.PORT);
let beat = 0;
setInterval(() => console.log('beat ' + ++beat), 200);
`,
};

async function signUp(hands: Hands, tab: HandsOnTab): Promise<void> {
  const { name, email, password } = newPerson();
  await hands.goto('/signup');
  await hands.see('Create account');
  await tab.evaluate(`(() => { ${closeWelcomes} })()`);
  await hands.fill('Name', name);
  await hands.fill('E-mail', email);
  await hands.fill('Password', password);
  await hands.press('Create account');
  await hands.see('Add your first server');
}

async function makeKeys(hands: Hands, host: LinkedHost): Promise<void> {
  await hands.goto('/ssh-keys/new');
  await hands.press('Generate one here');
  await hands.fill('Name', 'harbour desk');
  await hands.press('Generate keypair');
  await hands.see('harbour desk is in this browser');
  await host.authorize(await hands.read('code', 'ssh-ed25519 '));
}

async function linkServer(hands: Hands, host: LinkedHost): Promise<void> {
  await hands.press('Add your first server');
  await hands.fill('Name', 'lantern');
  await hands.fill('IPv4 address', host.ip);
  await hands.fill('Username', host.user);
  await hands.fill('Port', String(host.port));
  await hands.choose('Credential', 'harbour desk');
  await hands.press('Add server');
  await hands.see('picked for you');
  await hands.press('Add server');
  await hands.see(host.hostKeyFingerprint(), { within: '[role=alertdialog]' });
  await hands.press('Accept and connect');
  await hands.see('Setup Completed!', { seconds: 60 });
  await hands.press('Close');
}

async function seeReport(hands: Hands): Promise<void> {
  await hands.press('lantern');
  await hands.see('Online', { within: 'h1', seconds: 20 });
  await hands.see('Connected');
  await hands.see(/on \d+ cores?/, { within: '#overview' });
}

/** A second key pushes, because nobody but the browser has the first. */
async function deployApp(hands: Hands, tab: HandsOnTab): Promise<void> {
  const push = makeKey();
  const added = await tab.evaluate(`fetch('/api/keys', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'laptop', publicKey: ${JSON.stringify(push.publicKeyLine)} }),
  }).then(({ status }) => status)`);
  expect(added).toBe(201);
  await hands.press('New app');
  await hands.fill('App name', 'Signal');
  await hands.press('laptop');
  await hands.press('Create app');
  await hands.see('is created', { within: '[role=dialog]', seconds: 45 });
  const remote = await hands.read('[role=dialog] dd');
  await hands.press('OK');
  await hands.see('Never deployed', { within: '#deploy' });
  expect(await pushApp(remote, push.privateKeyPem, program)).toContain('Application deployed');
  await hands.see('Succeeded', { within: '#deploy', seconds: 20 });
  await hands.see('Application deployed', { within: '#deploy [role=log]' });
  await hands.see(/beat \d+/, { within: '#logs [role=log]', seconds: 20 });
}
