/**
 * What differs between the types of database service, as Dokku's six service plugins have it. Each type is a file beside this
 * one; `database-types.ts` lists them.
 */
export interface DatabaseTypeFacts<Type extends string> {
  /** The plugin's name, which begins its commands: `postgres` in `postgres:create`. */
  type: Type;
  title: string;
  /** The variable that a link sets in an app, if the app does not have it yet. */
  variable: string;
  /** The ports of the container, in the order in which `expose` takes the ports of the server. */
  ports: readonly { number: number; purpose: string }[];
  /** The port that the connection string names. */
  mainPort: number;
  /** Whether the connection string holds a password. Without one, whoever reaches the port may read and write. */
  hasPassword: boolean;
  /** Where Dokku's plugin comes from. */
  pluginUrl: `https://github.com/dokku/dokku-${Type}.git`;
  /** A version of Dokku's plugin, and the version of the image that it makes databases of unless somebody names another. */
  known: { plugin: string; image: string };
  /** What Dokku's plugin can export and import. */
  dump: DumpFacts;
}

export type DumpFacts =
  /** Shown in place of the dumps. */
  | { kind: 'none'; reason: string }
  | {
      kind: 'file';
      /** Of a downloaded dump's name, without its dot. */
      extension: string;
      /** What the file is, for people who have one to upload. */
      content: string;
      /** What a restore does to the data that the database has. */
      replaces: string;
      /** What a restore test counts, in the singular. `parts`: what holds the entries; null: nothing does. */
      counts: { parts: string | null; entries: string };
    };
