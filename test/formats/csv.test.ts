import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeCsv, encodeCsv } from "../../src/formats/csv.ts";

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
          const expected = rows.map(([text, number]) => [
            text,
            Number.isFinite(number) ? String(number) : "",
          ]);
          expect(parse(encodeCsv({ columns, rows })).slice(1)).toEqual(expected);
        },
      ),
    );
  });
});

describe("decodeCsv", () => {
  it("reads what encodeCsv writes, with the lines that rows begin on", () => {
    const columns = [
      { name: "first", type: "text" },
      { name: "second, too", type: "text" },
    ] as const;
    const cell = fc.string({ unit: fc.constantFrom("a", ",", '"', "\r", "\n", " ") });
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell)), (rows) => {
        const text = encodeCsv({ columns, rows });
        const [header, ...read] = decodeCsv(text);
        expect(header).toEqual({ line: 1, fields: ["first", "second, too"] });
        expect(read.map(({ fields }) => fields)).toEqual(rows);
        let line = 2;
        for (const [i, fields] of rows.entries()) {
          expect(read[i]!.line).toBe(line);
          line += 1 + fields.join("").split("\n").length - 1;
        }
      }),
    );
  });

  it("takes either line break, leaves out empty lines, and closes what is open", () => {
    const fieldsOf = (text: string) => decodeCsv(text).map(({ fields }) => fields);
    expect(fieldsOf("a,b\nc,\n\r\n\nd")).toEqual([["a", "b"], ["c", ""], ["d"]]);
    expect(fieldsOf('"a,b\n')).toEqual([["a,b\n"]]);
    expect(fieldsOf('"",x\r\n""\r\n')).toEqual([["", "x"]]);
    expect(decodeCsv("a\n\nb")).toEqual([
      { line: 1, fields: ["a"] },
      { line: 3, fields: ["b"] },
    ]);
  });
});
