/** Logs of the message so far; a failed frame drops its own. */

import { append, beginOutput, Output, resetOutput } from '../host/output.ts'
import { storeBigEndian } from '../words/word.ts'
import { Account } from './account.ts'

const HEAD_BYTES: usize = 16

/** One after the other: size of the data, how many topics, number of the account, nothing (4 bytes each), topics, data. */
export const LOGS: Output = changetype<Output>(memory.data(offsetof<Output>(), 8))

export function resetLogs(): void {
  resetOutput(LOGS)
}

/** For the message that begins. */
export function beginLogs(): void {
  beginOutput(LOGS)
}

export function logMark(): usize {
  return LOGS.size
}

export function revertLogs(mark: usize): void {
  LOGS.size = mark
}

/** @param topics - The first of them on the stack; the others lie above in memory. @returns Where the log is. */
export function addLog(account: Account, topics: usize, count: usize, data: usize, size: usize): usize {
  const at = append(LOGS, HEAD_BYTES + 32 * count + size)
  store<u32>(at, size as u32)
  store<u32>(at, count as u32, 4)
  store<u32>(at, account.number, 8)
  const topicsAt = at + HEAD_BYTES
  for (let i: usize = 0; i < count; i++) storeBigEndian(topicsAt + 32 * i, topics + 32 * i)
  if (size != 0) memory.copy(topicsAt + 32 * count, data, size)
  return at
}
