export { createDiscord, discordWebhook } from './discord.ts';
export { createGotify, gotifyToken } from './gotify.ts';
export { createMatrix, encryptedRoom, matrixAccount } from './matrix.ts';
export { createNtfy, ntfyToken } from './ntfy.ts';
export { createPagerduty, pagerdutyKey } from './pagerduty.ts';
export { createPushover, pushoverKeys } from './pushover.ts';
export { createSlack, slackPath } from './slack.ts';
export { startChat } from './start-chat.ts';
export { createTeams, teamsPath } from './teams.ts';
