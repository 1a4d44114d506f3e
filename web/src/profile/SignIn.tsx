import { Panel } from '../ui/layout/Panel.tsx';
import { Passkeys } from './passkeys/Passkeys.tsx';
import { Password } from './password/Password.tsx';
import { SecondStep } from './second-step/SecondStep.tsx';
import { Sessions } from './sessions/Sessions.tsx';

/** How the person signs in, and where. */
export function SignIn() {
  return (
    <Panel id="sign-in" title="Sign-in" body="flush" line={false}>
      <Password />
      <Passkeys />
      <SecondStep />
      <Sessions />
    </Panel>
  );
}
