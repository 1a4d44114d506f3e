import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';
import { tellPartMissing } from './feedback/part-missing.ts';

/** A part in a file of its own. `prepare` loads the file beforehand: when a person reaches for what opens the part. */
export type OnDemand<Props extends object> = ComponentType<Props> & { prepare: () => Promise<void> };

/**
 * A part of the page that is loaded when it is first drawn. `fallback` stands in its place until then; 'outside' leaves that to a Suspense
 * around the part. A file that does not arrive says so, with a way to load the page again, and leaves the rest of the page as it is.
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: ReactNode | 'outside' = null,
): OnDemand<Props> {
  let loaded: ComponentType<Props> | null = null;
  let loading: Promise<ComponentType<Props>> | null = null;
  const start = () => {
    loading ??= load().then((Part) => {
      loaded = Part;
      return Part;
    });
    return loading;
  };
  const Late = lazy(async () => ({
    default: await start().catch((): ComponentType<Props> => {
      tellPartMissing();
      return Missing;
    }),
  }));
  function Part(props: Props) {
    // Chosen once, because another component would lose the state of the part.
    const [Chosen] = useState<ComponentType<Props>>(() => loaded ?? Late);
    if (fallback === 'outside') return <Chosen {...props} />;
    return (
      <Suspense fallback={fallback}>
        <Chosen {...props} />
      </Suspense>
    );
  }
  // The part itself says that it is missing.
  return Object.assign(Part, { prepare: () => start().then(noop, noop) });
}

const Missing = () => null;
const noop = () => {};
