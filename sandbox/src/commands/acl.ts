import { type Call, Exit, type SandboxCommand } from '../machine/call.ts';

/** The three commands of the acl plugin that the console uses. Users are names of SSH keys. */
export const aclAdd: SandboxCommand = {
  name: 'acl:add',
  run: (call) => {
    const { app, user } = read(call);
    if (app.users.includes(user)) {
      call.err('User already has permissions to push to this repository');
      throw new Exit(2);
    }
    call.state.changeApp(app.name, (changed) => void changed.users.push(user));
  },
};

export const aclRemove: SandboxCommand = {
  name: 'acl:remove',
  run: (call) => {
    const { app, user } = read(call);
    call.state.changeApp(app.name, (changed) => {
      changed.users = changed.users.filter((other) => other !== user);
    });
  },
};

export const aclList: SandboxCommand = {
  name: 'acl:list',
  run: (call) => {
    for (const user of [...call.app(call.words[0]).users].sort()) call.out(user);
  },
};

function read(call: Call) {
  const app = call.app(call.words[0]);
  return { app, user: call.words[1] || call.fail('Please specify a user name') };
}
