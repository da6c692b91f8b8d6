/**
 * Processor seconds of the calling thread since it began; NaN if Node does not report them (before 23.9).
 *
 * Linux updates the time of a thread at the ticks of its clock and when the thread waits, so short stretches of work between
 * waits would seem to take no time. It also updates the time when the time of the whole process is read.
 */
export function threadSeconds(): number {
  process.cpuUsage();
  const used = process.threadCpuUsage?.();
  return used === undefined ? NaN : (used.user + used.system) / 1e6;
}
