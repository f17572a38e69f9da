/** Logs of the message so far; a frame that fails takes its own back. */
import { Account } from './account.ts'
import { append, Output, resetOutput } from './output.ts'
import { copyWord, storeBigEndian } from './word.ts'

/** One after the other: size of the data and number of topics (4 bytes each), address (a word), topics, data. */
export const LOGS: Output = changetype<Output>(memory.data(offsetof<Output>(), 8))

export function resetLogs(): void {
  resetOutput(LOGS)
}

export function logMark(): usize {
  return LOGS.size
}

export function revertLogs(mark: usize): void {
  LOGS.size = mark
}

/** @param topics - The first of them on the stack; the others lie above in memory. @returns Where the log is. */
export function addLog(account: Account, topics: usize, count: usize, data: usize, size: usize): usize {
  const at = append(LOGS, 40 + 32 * count + size)
  store<u32>(at, size as u32)
  store<u32>(at, count as u32, 4)
  copyWord(at + 8, changetype<usize>(account))
  for (let i: usize = 0; i < count; i++) storeBigEndian(at + 40 + 32 * i, topics + 32 * i)
  if (size != 0) memory.copy(at + 40 + 32 * count, data, size)
  return at
}
