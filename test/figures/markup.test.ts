import { describe, expect, it } from "vitest";
import { escapeMarkup, markup } from "../../src/figures/markup.ts";

describe("markup", () => {
  it("escapes text and numbers, passes markup and lists, and prints nothing for what is absent", () => {
    const inner = markup`<b>${"a & b"}</b>`;
    expect(markup`<p title="${`"'<>`}">${inner}${[1, [inner]]}${undefined}${false}</p>`.text).toBe(
      '<p title="&quot;&#39;&lt;&gt;"><b>a &amp; b</b>1<b>a &amp; b</b></p>',
    );
  });

  it("replaces what XML forbids", () => {
    expect(escapeMarkup("a\u0000b\u001bc\td\n")).toBe("a\ufffdb\ufffdc\td\n");
  });
});
