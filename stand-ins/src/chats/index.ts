export { createSlack, slackPath } from './slack.ts';
export { type Seen, startChat } from './start-chat.ts';
