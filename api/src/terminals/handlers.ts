import { terminalsPerPerson } from '@homeport/contract/terminals/facts';
import type { Handlers } from '../http/handlers.ts';
import { createSeats } from '../http/seats.ts';
import { openAppTerminal, type TerminalDeps } from './app-terminal.ts';

export function terminalHandlers(
  deps: Omit<TerminalDeps, 'seats'>,
): Pick<Handlers, 'GET /api/apps/:id/terminal'> {
  const all: TerminalDeps = { ...deps, seats: createSeats(terminalsPerPerson) };
  return { 'GET /api/apps/:id/terminal': (asked) => openAppTerminal(all, asked) };
}
