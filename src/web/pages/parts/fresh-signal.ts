import { type Signal, signal } from "@preact/signals";
import { useMemo } from "preact/hooks";

/**
 * A signal that begins anew when one of the things that it is about changes: while the page is drawn, and not in an effect after
 * it, before which a key may have been pressed already.
 */
export function useFreshSignal<T>(initial: T, about: readonly unknown[]): Signal<T> {
  return useMemo(() => signal(initial), [...about]);
}
