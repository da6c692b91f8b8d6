import { existsSync } from "node:fs";

// Debian's chromium brings a Vulkan driver that computes on the CPU, libvulkan1 what loads it.
const driver = "/usr/lib/chromium/vk_swiftshader_icd.json";

/** Whether this machine has an adapter for WebGPU that computes on the CPU. */
export const hasSoftwareAdapter =
  existsSync(driver) && existsSync("/usr/lib/x86_64-linux-gnu/libvulkan.so.1");

/** The environment that selects it, for processes that are started: the driver is chosen when a process starts. */
export const softwareAdapter: Readonly<Record<string, string>> = hasSoftwareAdapter
  ? { VK_DRIVER_FILES: driver }
  : {};

/** What is missing without it. */
export const noAdapter = "no WebGPU: Debian's packages chromium and libvulkan1 have a software adapter";
