/** Memory for each GB that the browser says the device has. */
const BYTES_PER_GB = 4 * 1024 * 1024
/** GB, where the browser does not say. */
const USUAL_GB = 4
const MOST_GB = 8

/**
 * How much memory the bytes of blocks may take: 32 MiB, on a device of 8 GB or more.
 *
 * @param host - The browser's `navigator`; Chromium says in it how many GB there are, in a worker as well.
 */
export function blockMemoryOf(host: object): number {
  const { deviceMemory } = host as { readonly deviceMemory?: number }
  return BYTES_PER_GB * Math.max(1, Math.min(MOST_GB, deviceMemory ?? USUAL_GB))
}
