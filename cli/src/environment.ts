/** The variables that the commands read, beside those of the XDG Base Directory specification. The console's own stand in its settings. */
export const variables = {
  HOMEPORT_URL: 'The address of the console, in place of the one of `homeport login`.',
  HOMEPORT_TOKEN: 'An API token, in place of the one of `homeport login`. For scripts.',
  HOMEPORT_APP: 'The app of `app`, `logs`, `deploy`, `start`, `stop` and `restart` where no name is given.',
} as const;

type Env = Readonly<Record<string, string | undefined>>;

/** The value of a variable. An empty one counts as unset. */
export const variable = (env: Env, name: keyof typeof variables): string | undefined =>
  env[name] || undefined;
