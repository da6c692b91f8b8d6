import { useEffect } from "preact/hooks";

/** Keys of a part of the page, by the letter that they type; two letters one after the other as `g r`. */
export type Keys = Readonly<Record<string, () => void>>;

let first = "";

/** Listens to keys while a part of the page is shown. None works while somebody types. */
export function useKeys(keys: Keys): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyped(event.target)) return;
      const action = keys[`${first} ${event.key}`] ?? keys[event.key];
      first = event.key === "g" && keys["g"] === undefined ? "g" : "";
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  });
}

function isTyped(target: EventTarget | null): boolean {
  const element = target as HTMLElement | null;
  return (
    element !== null &&
    (["TEXTAREA", "SELECT"].includes(element.tagName) ||
      (element instanceof HTMLInputElement && element.type !== "checkbox"))
  );
}
