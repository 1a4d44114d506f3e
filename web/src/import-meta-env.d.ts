interface ImportMetaEnv {
  readonly HOMEPORT_VERSION: string;
}
