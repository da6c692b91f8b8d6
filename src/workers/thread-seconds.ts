/** Processor seconds of the calling thread since it began; NaN where Node cannot tell them (before 23.9). */
export function threadSeconds(): number {
  const used = process.threadCpuUsage?.();
  return used === undefined ? NaN : (used.user + used.system) / 1e6;
}
