import type { Horizon } from '@homeport/contract/horizons';
import { createContext, type ReactNode, useContext, useMemo, useState, useSyncExternalStore } from 'react';
import { Switch } from '../form/Choice.tsx';

/** The time under the crosshair. All charts of a page with the same horizon share it. */
interface Crosshair {
  subscribe: (listener: () => void) => () => void;
  read: (horizon: Horizon) => number | null;
  move: (horizon: Horizon, time: number | null) => void;
}

function makeCrosshair(): Crosshair {
  const at = new Map<Horizon, number>();
  const listeners = new Set<() => void>();
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    read: (horizon) => at.get(horizon) ?? null,
    move(horizon, time) {
      if (time === null) at.delete(horizon);
      else at.set(horizon, time);
      for (const listener of listeners) listener();
    },
  };
}

interface Group {
  crosshair: Crosshair;
  inStep: boolean;
  setInStep: (inStep: boolean) => void;
  horizonOf: (chart: string) => Horizon;
  setHorizon: (chart: string, horizon: Horizon) => void;
}

const GroupContext = createContext<Group | null>(null);

/**
 * Wraps all charts of a page. They share one crosshair, and their horizons change together while "in step" is
 * on.
 */
export function ChartGroup({ children }: { children: ReactNode }) {
  const crosshair = useMemo(makeCrosshair, []);
  const [inStep, setInStep] = useState(true);
  const [shared, setShared] = useState<Horizon>('all');
  const [own, setOwn] = useState<Readonly<Record<string, Horizon>>>({});
  const group: Group = {
    crosshair,
    inStep,
    setInStep(next) {
      setInStep(next);
      if (next) setOwn({});
    },
    horizonOf: (chart) => (inStep ? shared : (own[chart] ?? shared)),
    setHorizon(chart, horizon) {
      if (inStep) setShared(horizon);
      else setOwn({ ...own, [chart]: horizon });
    },
  };
  return <GroupContext value={group}>{children}</GroupContext>;
}

/** The page's switch. Stands above the charts. */
export function KeepInStep() {
  const { inStep, setInStep } = useGroup();
  return (
    <Switch
      label="Keep charts in step"
      checked={inStep}
      onChange={(event) => setInStep(event.currentTarget.checked)}
    />
  );
}

function useGroup(): Group {
  const group = useContext(GroupContext);
  if (!group) throw new Error('A chart must stand inside a ChartGroup.');
  return group;
}

/** The horizon of a chart, for the choice of its data. Call it with the same id as the Chart. */
export function useHorizon(chart: string): [Horizon, (horizon: Horizon) => void] {
  const group = useGroup();
  return [group.horizonOf(chart), (horizon) => group.setHorizon(chart, horizon)];
}

export function useCrosshair(horizon: Horizon): [number | null, (time: number | null) => void] {
  const { crosshair } = useGroup();
  const time = useSyncExternalStore(crosshair.subscribe, () => crosshair.read(horizon));
  return [time, (next) => crosshair.move(horizon, next)];
}
