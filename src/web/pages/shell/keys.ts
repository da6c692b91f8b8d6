import { useLayoutEffect } from "preact/hooks";

/** Keys of a part of the page, by the letter that they type; two letters one after the other as `g r`; `Shift ArrowLeft`. */
export type Keys = Readonly<Record<string, () => void>>;

let first = "";

/** Listens to keys while a part of the page is shown. None works while somebody types. */
export function useKeys(keys: Keys): void {
  // A layout effect: any other would leave the keys of the previous picture until after the next paint.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyped(event.target)) return;
      // A button that has the focus is pressed by these.
      if ((event.key === " " || event.key === "Enter") && isPressed(event.target)) return;
      const typed = event.shiftKey && event.key.length > 1 ? `Shift ${event.key}` : event.key;
      const action = keys[`${first} ${typed}`] ?? keys[typed];
      first = event.key === "g" && keys["g"] === undefined ? "g" : "";
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  });
}

function isPressed(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("button, a, summary, input, select") !== null;
}

function isTyped(target: EventTarget | null): boolean {
  const element = target as HTMLElement | null;
  return (
    element !== null &&
    (["TEXTAREA", "SELECT"].includes(element.tagName) ||
      (element instanceof HTMLInputElement && !["checkbox", "range"].includes(element.type)))
  );
}
