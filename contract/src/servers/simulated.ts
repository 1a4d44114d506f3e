/** Why something cannot be done on a simulated server, which has reports and no machine behind them. */
export const simulatedTexts = {
  act: 'This server is simulated: there is no machine.',
  ask: 'This server is simulated: there is no machine to ask.',
  connect: 'This server is simulated: there is no machine to connect to.',
  create: 'This server is simulated: nothing can run on it.',
  deploy: 'This server is simulated: nothing can be deployed to it.',
  reports: 'This server is simulated: its reports are made up, and nothing can be run on it.',
  run: 'This server is simulated. It has reports, but no machine to run anything on.',
} as const;
