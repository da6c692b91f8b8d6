/** What ONNX Runtime says of a model that is newer than it or uses other operators, and what it means in words of users. */
const meanings: readonly (readonly [pattern: RegExp, words: (...found: string[]) => string])[] = [
  [
    /Unsupported model IR version: (\d+), max supported IR version: (\d+)/,
    (found, most) =>
      `its IR version is ${found}, and ONNX Runtime reads versions up to ${most} here: export it with an older exporter, or set ir_version = ${most} in Python (onnx.load, onnx.save)`,
  ],
  [
    /Opset (\d+) is under development.* domain (\S+) is till opset (\d+)/,
    (found, domain, most) =>
      `it is written for opset ${found} of ${domain}, and ONNX Runtime knows opsets up to ${most} here: export it with opset_version=${most} or less`,
  ],
  [
    /: (\S+):(\w+)\(-?\d+\) is not a registered function\/op/,
    (domain, operator) =>
      `it uses the operator ${operator} of ${domain}, which ONNX Runtime does not have: export it with the operators of ONNX alone`,
  ],
  [
    /No Op registered for (\w+) with domain_version of (\d+)/,
    (operator, opset) =>
      `it uses the operator ${operator}, which opset ${opset} of ONNX does not have: export it with the operators of ONNX alone`,
  ],
];

/** Why ONNX Runtime refuses a model, from the first line of its error: without its own file names and signatures. */
export function modelComplaint(line: string): string {
  for (const [pattern, words] of meanings) {
    const found = pattern.exec(line);
    if (found !== null) return words(...found.slice(1));
  }
  return line
    .replace(/^Load model from .*? failed:\s*/, "")
    .replace(/\/\S*onnxruntime\S*:\d+ .*?\)(?: const)? (?=[A-Z"'(])/, "");
}
