import { sshKeyName } from '@homeport/dokku';

/**
 * The key's name on the server is made of the app's id, so that it can be found again and never belongs to another app. Dokku
 * writes the name unescaped into a shell line.
 */
export const keyNameOf = (appId: string) => sshKeyName(`homeport-deploys-${appId.replaceAll('-', '')}`);
