import type { ComponentChildren } from "preact";

/**
 * A sentence of the server as markup, made of text, `b`, `i` and `small` alone. Everything else in it is shown as its text, so nothing of
 * a stranger's run becomes part of the page.
 */
export function Sentence({ markup }: { readonly markup: string }) {
  const body = new DOMParser().parseFromString(`<p>${markup}</p>`, "text/html").querySelector("p");
  return <>{body === null ? "" : children(body)}</>;
}

function children(node: Node): ComponentChildren[] {
  return [...node.childNodes].map((child, i) => {
    const tag = child.nodeName.toLowerCase();
    if (tag === "b") return <b key={i}>{children(child)}</b>;
    if (tag === "small") return <small key={i}>{children(child)}</small>;
    if (tag === "i") return <i key={i}>{children(child)}</i>;
    return child.textContent;
  });
}
