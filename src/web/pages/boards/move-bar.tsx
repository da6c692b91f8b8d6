/** How much of its simulations a search gave a move, with a tick at the net's prior; both in percent of the width. */
export function MoveBar({ prior, visits }: { readonly visits: number; readonly prior: number | undefined }) {
  return (
    <svg viewBox="0 0 100 14" preserveAspectRatio="none" aria-hidden="true">
      <rect class="bar-ground" x="0" y="1" width="100" height="12" />
      <rect class="bar-visits" x="0" y="1" width={visits} height="12" />
      {prior !== undefined && (
        <rect class="bar-prior" x={Math.min(98.5, prior)} y="0" width="1.5" height="14" />
      )}
    </svg>
  );
}
