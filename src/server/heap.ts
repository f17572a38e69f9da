import { getHeapStatistics } from 'node:v8'

/** Bytes of the process's heap: some 4 GiB by default, less on small machines or with `--max-old-space-size`. */
export const HEAP_BYTES = getHeapStatistics().heap_size_limit
