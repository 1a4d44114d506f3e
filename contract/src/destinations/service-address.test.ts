import { expect, test } from 'vitest';
import {
  discordAddressProblem,
  ntfyTopicProblem,
  pagerdutyKeyProblem,
  pushoverKeyProblem,
  roomProblem,
  serverAddressProblem,
  slackAddressProblem,
  teamsAddressProblem,
  telegramTokenProblem,
  tokenProblem,
} from './service-address.ts';

const slack = 'hooks.slack.com/services/T024BE7LD/B0123ABCD';
const discord = 'discord.com/api/webhooks/1234567890';
const teams = 'prod-7.westeurope.logic.azure.com/workflows/0f/triggers/manual/paths/invoke';

test.each([
  [slackAddressProblem, `https://${slack}/x9Yk3mWqTz0aRbVn5sLp7dFg`],
  [discordAddressProblem, `https://${discord}/Zx9_-token`],
  [discordAddressProblem, `https://${discord}/Zx9_-token/`],
  [discordAddressProblem, 'https://ptb.discord.com/api/v10/webhooks/1234567890/Zx9_-token?thread_id=77'],
  [teamsAddressProblem, `https://${teams}?api-version=2016-06-01&sig=a`],
  [teamsAddressProblem, 'https://default0.a1.environment.api.powerplatform.com:443/powerautomate/x?sig=a'],
  [ntfyTopicProblem, 'https://ntfy.sh/my-topic'],
  [ntfyTopicProblem, 'http://192.0.2.7:2586/T_1'],
  [serverAddressProblem, 'https://push.example.com/gotify/'],
  [tokenProblem, 'tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2'],
  [telegramTokenProblem, '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw'],
  [pushoverKeyProblem, 'azGDORePK8gMaC0QOYAMyEEuzJnyUi'],
  [pagerdutyKeyProblem, 'e93facc04764012d7bfb002500d5d1a6'],
  [roomProblem, '!cURbafjkfsMDVwdRDQ:matrix.example'],
])('takes what a service needs: %o %s', (problemOf, text) => {
  expect(problemOf(text)).toBeNull();
});

test.each([
  [slackAddressProblem, 'https://hooks.slack.com/workflows/T024BE7LD/B0123ABCD/x'],
  [slackAddressProblem, `https://${slack}`],
  [slackAddressProblem, `https://${slack}/..%2f`],
  [slackAddressProblem, `https://${slack.replace('.com', '.com.eve.example')}/x`],
  [slackAddressProblem, `http://${slack}/x`],
  [discordAddressProblem, `https://${discord}`],
  [discordAddressProblem, `https://${discord}/token/messages/1`.replace('1234567890', 'me')],
  [discordAddressProblem, `https://${discord}/token?thread_id=me`],
  [discordAddressProblem, `https://${discord}/token/slack`],
  [discordAddressProblem, `https://${discord}/token/github?thread_id=77`],
  [discordAddressProblem, `https://${discord}/token//github`],
  [discordAddressProblem, `https://eve.example/?${discord}/token`],
  [teamsAddressProblem, `https://${teams}`],
  [teamsAddressProblem, `https://${teams.replace('.azure.com', '.azure.com.eve.example')}?sig=a`],
  [teamsAddressProblem, `http://${teams}?sig=a`],
  [teamsAddressProblem, 'https://acme.webhook.office.com/webhookb2/x?sig=a'],
  [ntfyTopicProblem, 'https://ntfy.sh/'],
  [ntfyTopicProblem, 'https://ntfy.sh/a/b'],
  [ntfyTopicProblem, 'https://ntfy.sh/a?auth=b'],
  [serverAddressProblem, 'https://push.example.com/?token=a'],
  [serverAddressProblem, 'push.example.com'],
  [tokenProblem, 'a b'],
  [tokenProblem, 'a\r\nx: y'],
  [tokenProblem, 'ä'],
  [telegramTokenProblem, '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/getMe?'],
  [telegramTokenProblem, '110201543'],
  [pushoverKeyProblem, 'short'],
  [pagerdutyKeyProblem, `${'a'.repeat(31)}/`],
  [roomProblem, '#room:matrix.example'],
  [roomProblem, '!ro om'],
])('refuses anything else: %o %s', (problemOf, text) => {
  expect(problemOf(text)).not.toBeNull();
});
