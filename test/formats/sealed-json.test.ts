import { describe, expect, it } from "vitest";
import { sealedJson, unsealedJson } from "../../src/formats/sealed-json.ts";

const content = { format: "f 1", name: "a", list: [1, 2.5, null], deep: { é: "ü" } };
const keys = Object.keys(content);

describe("sealed JSON", () => {
  it("comes back, whatever its spaces", () => {
    const text = sealedJson(content);
    expect(unsealedJson(text, keys)).toEqual(content);
    expect(unsealedJson(JSON.stringify(JSON.parse(text)), keys)).toEqual(content);
  });

  it("comes back without a checksum only if it has no other keys than those given", () => {
    expect(unsealedJson(JSON.stringify(content), keys)).toEqual(content);
    expect(() => unsealedJson(JSON.stringify({ ...content, more: 1 }), keys)).toThrow(
      /no checksum, and "more"/,
    );
    for (const text of ["{}", '{ "more": 1 }'])
      expect(() => unsealedJson(text, [])).toThrow(/^is damaged: it has no checksum$/);
  });

  it("finds every changed character that changes the content", () => {
    const text = sealedJson(content);
    for (let at = 0; at < text.length; at++) {
      const changed = `${text.slice(0, at)}${String.fromCharCode(text.charCodeAt(at) ^ 1)}${text.slice(at + 1)}`;
      let read: unknown;
      try {
        read = unsealedJson(changed, keys);
      } catch (error) {
        expect((error as Error).message).not.toBe("");
        continue;
      }
      expect(read).toEqual(content);
    }
  });

  it("finds every part of it that occurs twice", () => {
    const text = sealedJson(content);
    const taken: string[] = [];
    for (let at = 0; at < text.length; at++)
      for (let end = at + 1; end <= text.length; end++)
        if (text.slice(at, end).trim() !== "" && isTaken(text.slice(0, end) + text.slice(at)))
          taken.push(text.slice(at, end));
    expect(taken).toEqual([]);
    const twice = text.replace('"deep"', '"deep": 3, "deep"');
    expect(() => unsealedJson(twice, keys)).toThrow(/says more than its checksum covers$/);
  });

  it("is an object", () => {
    for (const text of ["[]", "null", "3"])
      expect(() => unsealedJson(text, keys)).toThrow("is no JSON object");
    expect(() => unsealedJson("{", keys)).toThrow(SyntaxError);
  });
});

function isTaken(text: string): boolean {
  try {
    unsealedJson(text, keys);
    return true;
  } catch {
    return false;
  }
}
