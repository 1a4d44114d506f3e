/**
 * The light of the harbour's drawings. Gradients do not resolve inside a drawing from another document, so glow and fade stay in the page;
 * one file holds the lines.
 */
export function Glow({ id, radius }: { id: string; radius: number }) {
  return (
    <>
      <radialGradient id={id}>
        <stop offset="0" stopColor="var(--lamp)" stopOpacity=".46" />
        <stop offset=".45" stopColor="var(--lamp)" stopOpacity=".17" />
        <stop offset="1" stopColor="var(--lamp)" stopOpacity="0" />
      </radialGradient>
      <circle cx="585" cy="482" r={radius} fill={`url(#${id})`} />
    </>
  );
}
