/**
 * Processor seconds of the calling thread since it began; NaN where Node cannot tell them (before 23.9).
 *
 * Linux brings what it tells of a thread up to date at the ticks of its clock and when the thread waits, so short stretches
 * of work between waits would seem to take nothing. It does so too when the time of the whole process is read.
 */
export function threadSeconds(): number {
  process.cpuUsage();
  const used = process.threadCpuUsage?.();
  return used === undefined ? NaN : (used.user + used.system) / 1e6;
}
