import { StoreError } from '@homeport/store';
import { ConfigError } from './config/environment.ts';

/** The console cannot start, or has to stop. `message` says why, `remedy` what its reader can do. */
export class StartError extends Error {
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.name = 'StartError';
    this.remedy = remedy;
  }
}

/** Plain words for whoever started the console; only what nobody foresaw comes with its stack. */
export function inPlainWords(error: unknown): string {
  if (error instanceof StartError || error instanceof StoreError) return `${error.message}\n${error.remedy}`;
  if (error instanceof ConfigError) return `${error.message}\ndocs/configuration.md describes every setting.`;
  return `Homeport met an error that it did not expect and has to stop.\n${error instanceof Error ? error.stack : String(error)}`;
}
