import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeCsv } from "../../src/formats/csv.ts";

/** RFC 4180's grammar, field by field. */
function parse(csv: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain, end] of csv.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? "");
    if (end === "\r\n") {
      rows.push(row);
      row = [];
    }
  }
  return rows;
}

describe("encodeCsv", () => {
  const columns = [
    { name: "name", type: "text" },
    { name: "score, mean", type: "number" },
  ] as const;

  it("quotes only what must be quoted", () => {
    const rows = [
      ["plain", 48008.25],
      ['say "hi"', null],
      ["two\nlines", 1e21],
    ];
    expect(encodeCsv({ columns, rows })).toBe(
      'name,"score, mean"\r\nplain,48008.25\r\n"say ""hi""",\r\n"two\nlines",1e+21\r\n',
    );
  });

  it("comes back through a parser of the grammar", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string({ unit: fc.constantFrom("a", ",", '"', "\r", "\n", " ") }), fc.double())),
        (rows) => {
          const expected = rows.map(([text, number]) => [text, Number.isNaN(number) ? "" : String(number)]);
          expect(parse(encodeCsv({ columns, rows })).slice(1)).toEqual(expected);
        },
      ),
    );
  });
});
