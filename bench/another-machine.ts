/**
 * Shell words that give way to everything else on this machine: a server is another machine in life, and its commands use
 * none of the console's processors. A low priority of sshd does not reach what sshd starts: sshd makes a session of each login
 * and of each command, and Linux shares the processor between sessions first (sched(7), autogroup). So the command lowers its
 * own session, and the one of its login.
 */
export const asAnotherMachine = `for process in $$ $PPID; do
  { [ -w "/proc/$process/autogroup" ] && echo 19 >"/proc/$process/autogroup"; } 2>/dev/null
done`;
