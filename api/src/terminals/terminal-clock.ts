import type { TerminalTimes } from '@homeport/contract/terminals/facts';

type Ends = {
  /** When the terminal ends, and why if that is soon. */
  tell: (endsAt: number, soon: 'idle' | 'time' | null) => void;
  end: (why: 'idle' | 'time') => void;
};

/** Ends a terminal at which nobody types, and one whose time is over, each after a warning. */
export function startTerminalClock(times: TerminalTimes, { tell, end }: Ends) {
  const startedAt = Date.now();
  let typedAt = startedAt;
  let stretchEnd = startedAt + times.stretchMs;
  let warned: 'idle' | 'time' | null = null;
  let timer: NodeJS.Timeout | undefined;

  const next = (): { why: 'idle' | 'time'; at: number } => {
    const idle = typedAt + times.idleMs;
    return idle < stretchEnd ? { why: 'idle', at: idle } : { why: 'time', at: stretchEnd };
  };
  const look = () => {
    clearTimeout(timer);
    const { why, at } = next();
    const now = Date.now();
    if (now >= at) return end(why);
    const warnAt = at - times.warningMs;
    if (now >= warnAt && warned !== why) {
      warned = why;
      tell(at, why);
    }
    timer = setTimeout(look, (now >= warnAt ? at : warnAt) - now);
    timer.unref();
  };
  const calm = () => {
    if (warned === null || Date.now() >= next().at - times.warningMs) return;
    warned = null;
    tell(stretchEnd, null);
    look();
  };
  look();
  return {
    /** When the time in all is over. */
    endsAt: () => stretchEnd,
    typed() {
      typedAt = Date.now();
      calm();
    },
    /** Another stretch from now on, up to the most. */
    extend() {
      typedAt = Date.now();
      const later = Math.min(typedAt + times.stretchMs, startedAt + times.mostMs);
      // A page that asks again and again is told once a second.
      if (later - stretchEnd < 1_000) return calm();
      stretchEnd = later;
      warned = null;
      tell(stretchEnd, null);
      look();
    },
    stop: () => clearTimeout(timer),
  };
}
