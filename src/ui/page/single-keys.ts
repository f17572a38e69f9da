import { create } from 'zustand'
import { keep, readKept } from './kept-text.ts'

const KEY = 'blinknet.keys'

/** Whether keys that print a character are shortcuts. People who speak to their computer turn that off. */
export const useSingleKeys = create<{ readonly on: boolean }>()(() => ({ on: readKept(KEY) !== 'off' }))

/** Turns them on or off; stores the choice. */
export function chooseSingleKeys(choice: 'on' | 'off'): void {
  keep(KEY, choice === 'off' ? 'off' : null)
  useSingleKeys.setState({ on: choice === 'on' })
}

/** Whether a key is one of them. */
export function isSingleKey(key: string): boolean {
  return key.length === 1
}
