import { signal } from "@preact/signals";

/** `auto` follows the system. */
export type Theme = "auto" | "light" | "dark";

const KEY = "ludoflow-theme";
const order: readonly Theme[] = ["auto", "light", "dark"];

/** The theme that is chosen. */
export const theme = signal<Theme>(stored());

/** The next theme in turn. */
export function nextTheme(): Theme {
  return order[(order.indexOf(theme.value) + 1) % order.length]!;
}

/** Keeps the document's theme that of the choice, also after a reload. */
export function installTheme(): void {
  theme.subscribe((chosen) => {
    if (chosen === "auto") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = chosen;
    try {
      window.localStorage.setItem(KEY, chosen);
    } catch {
      // A browser that keeps nothing.
    }
  });
}

function stored(): Theme {
  try {
    return order.find((each) => each === window.localStorage.getItem(KEY)) ?? "auto";
  } catch {
    return "auto";
  }
}
