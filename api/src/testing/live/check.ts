/** One thing to try at a service. Checks run in their order and may build on earlier ones. */
export type ServiceCheck = { name: string; run(): Promise<void> };

/** The checks of one service, and what takes away what they made, whatever happened. */
export type ServiceChecks = { checks: readonly ServiceCheck[]; cleanUp: ServiceCheck };

export type CheckResult = { name: string; error: Error | null };

/** Runs the checks one after the other, also after a failed one. */
export async function runServiceChecks(
  { checks, cleanUp }: ServiceChecks,
  report: (result: CheckResult) => void,
): Promise<void> {
  for (const { name, run } of [...checks, cleanUp])
    report(
      await run().then(
        () => ({ name, error: null }),
        (error: unknown) => ({ name, error: error instanceof Error ? error : new Error(String(error)) }),
      ),
    );
}
