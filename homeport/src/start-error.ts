import { StoreError } from '@homeport/store';
import { ConfigError } from './config/environment.ts';

/** The console cannot start, or has to stop. `message` gives the reason, `remedy` says what to do. */
export class StartError extends Error {
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.name = 'StartError';
    this.remedy = remedy;
  }
}

/** Plain words for the person who started the console. Only an unexpected error shows its stack. */
export function inPlainWords(error: unknown): string {
  if (error instanceof StartError || error instanceof StoreError) return `${error.message}\n${error.remedy}`;
  if (error instanceof ConfigError) return `${error.message}\ndocs/configuration.md describes every setting.`;
  return `Homeport has to stop because of an unexpected error.\n${error instanceof Error ? error.stack : String(error)}`;
}
