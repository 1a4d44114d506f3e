import { type Command, dokku, hostCommand, type Outcome } from '../command.ts';
import { type AppName, appNameSchema } from '../names/app-name.ts';
import { linesOf } from '../output.ts';

/**
 * Which of the apps have nothing decided on whether their containers listen on all interfaces of the server. Dokku's own report does
 * not tell such an app from one with `false`, so this looks where Dokku keeps the property. Fails where the account may not look.
 */
export function listUndecided(apps: readonly AppName[]): Command {
  return hostCommand(['sh', '-s', '--', ...apps], { needsRoot: false, stdin: program });
}

const program = `properties=\${DOKKU_LIB_ROOT:-/var/lib/dokku}/config/network
for app in "$@"; do
  for folder in "$properties" "$properties/$app"; do
    if [ -e "$folder" ] && [ ! -x "$folder" ]; then exit 1; fi
  done
  [ -e "$properties/$app/bind-all-interfaces" ] || printf '%s\\n' "$app"
done
exit 0
`;

export function readUndecided({ stdout }: Outcome): AppName[] {
  return linesOf(stdout).flatMap((line) => {
    const name = appNameSchema.safeParse(line);
    return name.success ? [name.data] : [];
  });
}

/** What Dokku does without the property: only the proxy reaches the app's containers. */
export function keepPrivate(app: AppName): Command {
  return dokku('network:set', app, 'bind-all-interfaces', 'false');
}
