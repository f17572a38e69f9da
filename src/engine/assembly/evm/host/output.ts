/** Growing byte buffers: logs, and the results that the host reads after a message. */
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

/** Appends `size` uninitialised bytes. */
export function append(output: Output, size: usize): usize {
  output.start = growBlock(output.start, output.size, output.size + size)
  const at = output.start + output.size
  output.size += size
  return at
}
