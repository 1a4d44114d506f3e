import { api } from './api.ts';
import { app } from './app.ts';
import { appActions } from './app-actions.ts';
import type { Command } from './command.ts';
import { completionFor } from './completion.ts';
import { deploy } from './deploy.ts';
import { events } from './events.ts';
import { apps, databases, servers } from './lists.ts';
import { login, logout } from './login.ts';
import { logs } from './logs.ts';
import { mcp } from './mcp.ts';
import { propose } from './propose.ts';
import { status } from './status.ts';
import { watchOperation } from './watch-operation.ts';

const others: readonly Command[] = [
  login,
  logout,
  status,
  apps,
  app,
  logs,
  deploy,
  ...appActions,
  servers,
  databases,
  propose,
  watchOperation,
  events,
  mcp,
  api,
];

/** Every command, in the order in which help and docs/cli.md name them. */
export const commands: readonly Command[] = [...others, completionFor(others)];
