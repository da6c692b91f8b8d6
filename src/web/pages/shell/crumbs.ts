import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** A step of the path to the present place: its name, and its address if it is a page. */
export type Crumb = string | readonly [text: string, href: string];

/** The present place below a page, for the bar at the top. */
export const crumbs = signal<readonly Crumb[]>([]);

/** Sets the place that the bar shows, and the title of the tab. */
export function usePlace(title: string, ...places: readonly Crumb[]): void {
  const key = JSON.stringify(places.filter((place) => place !== ""));
  useEffect(() => {
    document.title = title === "" ? "ludoflow" : `${title} · ludoflow`;
    crumbs.value = JSON.parse(key) as Crumb[];
  }, [title, key]);
}
