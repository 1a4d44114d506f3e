import type { Logger } from 'pino';
import { pino } from 'pino';
import pretty from 'pino-pretty';
import type { Config } from './config/config.ts';

/** Lines for people on a terminal, one JSON object a line elsewhere. Headers that hold a session are never written. */
export function openLog(level: Config['logLevel']): Logger {
  const options = {
    level,
    redact: ['req.headers.cookie', 'req.headers.authorization', 'res.headers["set-cookie"]'],
  };
  return process.stdout.isTTY ? pino(options, pretty({ sync: true, ignore: 'pid,hostname' })) : pino(options);
}
