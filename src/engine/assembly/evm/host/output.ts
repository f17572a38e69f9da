/** Bytes that grow at their end: logs, and what the host takes out when a message is over. */
import { growBlock } from './heap.ts'

@unmanaged
export class Output {
  start: usize
  size: usize
}

/** Without memory of its own. */
export function resetOutput(output: Output): void {
  output.start = 0
  output.size = 0
}

/** For the message that begins. */
export function beginOutput(output: Output): void {
  output.size = 0
}

/** Room for `size` bytes at the end; what they hold is the caller's concern. */
export function append(output: Output, size: usize): usize {
  output.start = growBlock(output.start, output.size, output.size + size)
  const at = output.start + output.size
  output.size += size
  return at
}
