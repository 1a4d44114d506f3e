import { makeOwnerLink } from '@homeport/api';
import { openBeside } from '@homeport/store';
import type { OwnerCommand } from '../config/arguments.ts';
import { decideConfig } from '../config/config.ts';
import { readEnvironment } from '../config/environment.ts';
import { ofDatabase, placeOf } from '../data-place.ts';
import type { Cleanup } from '../shutdown.ts';
import { StartError } from '../start-error.ts';

/** Makes a link by which the owner of the console sets a new password. Throws `StartError`, `StoreError` and `ConfigError`. */
export async function printOwnerLink(
  { env, endsSecondStep }: OwnerCommand,
  cleanup: Cleanup,
  say: (text: string) => void,
): Promise<void> {
  const environment = readEnvironment(env);
  const { publicUrl } = decideConfig(environment, {
    uid: process.getuid?.(),
    xdgDataHome: process.env.XDG_DATA_HOME,
  });
  try {
    const { db, close } = await openBeside(placeOf(environment).place);
    cleanup.add('PostgreSQL', close);
    const made = await makeOwnerLink(db, { publicUrl, endsSecondStep, now: Date.now() });
    if (!made) throw noAccount(publicUrl);
    say(`${made.link}\n`);
    say(
      `Whoever opens this link sets a new password for ${made.name} <${made.email}>, the owner of this console.`,
    );
    say('It works once, for an hour, while the console runs. A link that was made before works no longer.');
    say(
      'Its use ends every sign-in of the owner, is listed in the security events and is reported by e-mail.',
    );
    if (made.hasSecondStep) say(aboutSecondStep(endsSecondStep));
  } catch (error) {
    throw ofDatabase(error);
  }
}

const aboutSecondStep = (ends: boolean): string =>
  ends
    ? 'It turns the second step off: set it up again after you signed in.'
    : 'The second step stays. Without the authenticator app and the recovery codes, make a link with --without-second-step.';

function noAccount(publicUrl: string): StartError {
  return new StartError(
    'This console has no account yet.',
    `Nothing was changed. Start the console and open ${publicUrl}/signup: the first account is the owner’s.`,
  );
}
