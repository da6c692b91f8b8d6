/**
 * A drawing of figures or boards as an element. It is parsed as XML, in which nothing runs. The page's policy forbids styles in attributes, so they
 * are set one by one. In markup quotation marks are only at attributes, so nothing else is taken for a style.
 */
export function svgElement(text: string): Element | undefined {
  const named = text.startsWith("<svg xmlns=")
    ? text
    : text.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"');
  const xml = named.replaceAll(' style="', ' data-style="');
  const parsed = new DOMParser().parseFromString(xml, "image/svg+xml").documentElement;
  if (parsed.nodeName !== "svg") return undefined;
  const own = document.importNode(parsed, true);
  for (const element of own.querySelectorAll<SVGElement>("[data-style]")) {
    for (const each of element.dataset["style"]!.split(";")) {
      const colon = each.indexOf(":");
      if (colon > 0) element.style.setProperty(each.slice(0, colon).trim(), each.slice(colon + 1).trim());
    }
    delete element.dataset["style"];
  }
  return own;
}
