import { computed, signal } from "@preact/signals";

/** The address that is shown. */
const address = signal(window.location.pathname + window.location.search);

/** The parts of the path, decoded. */
export const pathParts = computed(() =>
  new URL(address.value, window.location.origin).pathname
    .split("/")
    .filter((part) => part !== "")
    .map((part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        return part;
      }
    }),
);

/** The query: it holds all that is chosen on a page, so that links, back and reload keep it. */
export const query = computed(() => new URL(address.value, window.location.origin).searchParams);

/** Goes to an address of this page. `replace` leaves no step back to the present one. */
export function goTo(href: string, replace = false): void {
  if (replace) window.history.replaceState(null, "", href);
  else window.history.pushState(null, "", href);
  const before = address.value.split("?")[0];
  address.value = window.location.pathname + window.location.search;
  if (before !== window.location.pathname) {
    window.scrollTo(0, 0);
    // Move focus so that screen readers announce the page.
    document.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
  }
}

/** Changes values of the query; undefined removes one. */
export function choose(values: Readonly<Record<string, string | undefined>>): void {
  const next = new URLSearchParams(query.value);
  for (const [key, value] of Object.entries(values))
    if (value === undefined) next.delete(key);
    else next.set(key, value);
  const text = next.toString();
  goTo(window.location.pathname + (text === "" ? "" : `?${text}`), true);
}

/** Sets all values that the query has under one name. */
export function chooseAll(key: string, values: readonly string[]): void {
  const next = new URLSearchParams(query.value);
  next.delete(key);
  for (const value of values) next.append(key, value);
  const text = next.toString();
  goTo(window.location.pathname + (text === "" ? "" : `?${text}`), true);
}

/** The address of a run's page. */
export function runHref(path: string, tab = ""): string {
  return `/runs/${path.split("/").map(encodeURIComponent).join("/")}${tab === "" ? "" : `/${tab}`}`;
}

window.addEventListener("popstate", () => {
  address.value = window.location.pathname + window.location.search;
});

// Links within the page change the address alone.
document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey)
    return;
  const link = (event.target as Element).closest("a");
  if (link === null || link.target !== "" || link.origin !== window.location.origin) return;
  if (link.pathname.startsWith("/report/") || link.hasAttribute("download")) return;
  event.preventDefault();
  goTo(link.pathname + link.search);
});
