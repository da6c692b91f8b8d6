/** The number z with P(|Z| <= z) = .95 for a standard normal Z (Abramowitz and Stegun 1964, table 26.2, to double precision). */
export const NORMAL_95 = 1.959963984540054;

const known = new Map<number, number>();

/**
 * The number t with P(|T| <= t) = .95 for Student's T with n degrees of freedom, n a positive integer.
 *
 * Up to 200 degrees of freedom, bisection inverts the exact finite sums of Abramowitz and Stegun 26.7.3-4. Above 200 it is
 * their expansion 26.7.5 about the normal quantile, with an error below 1e-11.
 */
export function studentT95(n: number): number {
  if (!Number.isInteger(n) || n < 1) throw new RangeError(`${n} degrees of freedom`);
  if (n > 200) return expansion(n);
  let t = known.get(n);
  if (t === undefined) known.set(n, (t = bisect(n)));
  return t;
}

/** P(|T| <= t), with theta = atan(t / sqrt n). */
function central(theta: number, n: number): number {
  const cosine = Math.cos(theta);
  const odd = n % 2 === 1;
  // Odd n: cos + 2/3 cos^3 + 2.4/3.5 cos^5 ...; even n: 1 + 1/2 cos^2 + 1.3/2.4 cos^4 ...; up to the power n - 2.
  let term = odd ? cosine : 1;
  let sum = 0;
  for (let power = odd ? 1 : 0; power <= n - 2; power += 2) {
    sum += term;
    term *= ((power + 1) / (power + 2)) * cosine * cosine;
  }
  const series = Math.sin(theta) * sum;
  return odd ? (2 / Math.PI) * (theta + series) : series;
}

function bisect(n: number): number {
  let low = 0;
  let high = Math.PI / 2;
  for (;;) {
    const middle = (low + high) / 2;
    if (middle <= low || middle >= high) return Math.sqrt(n) * Math.tan(middle);
    if (central(middle, n) < 0.95) low = middle;
    else high = middle;
  }
}

function expansion(n: number): number {
  const x = NORMAL_95;
  const y = x * x;
  const g1 = (x * (y + 1)) / 4;
  const g2 = (x * ((5 * y + 16) * y + 3)) / 96;
  const g3 = (x * (((3 * y + 19) * y + 17) * y - 15)) / 384;
  const g4 = (x * ((((79 * y + 776) * y + 1482) * y - 1920) * y - 945)) / 92160;
  return x + (g1 + (g2 + (g3 + g4 / n) / n) / n) / n;
}
