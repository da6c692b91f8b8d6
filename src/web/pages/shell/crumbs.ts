import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** A place on the way to where one is: its name, and its address where one can go there. */
export type Crumb = string | readonly [text: string, href: string];

/** Where one is below a page, for the bar at the top. */
export const crumbs = signal<readonly Crumb[]>([]);

/** Tells the bar where one is, and the tab its title. */
export function usePlace(title: string, ...places: readonly Crumb[]): void {
  const key = JSON.stringify(places.filter((place) => place !== ""));
  useEffect(() => {
    document.title = title === "" ? "ludoflow" : `${title} · ludoflow`;
    crumbs.value = JSON.parse(key) as Crumb[];
  }, [title, key]);
}
