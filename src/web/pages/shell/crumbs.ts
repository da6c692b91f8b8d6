import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** Where one is below a page, for the bar at the top. */
export const crumbs = signal<readonly string[]>([]);

/** Tells the bar where one is, and the tab its title. */
export function usePlace(title: string, ...places: readonly string[]): void {
  const text = places.join("\n");
  useEffect(() => {
    document.title = title === "" ? "ludoflow" : `${title} · ludoflow`;
    crumbs.value = text === "" ? [] : text.split("\n");
  }, [title, text]);
}
