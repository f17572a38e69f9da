import { create } from 'zustand'

/** Index of the development account that sends. */
export const useSender = create<{ readonly index: number }>()(() => ({ index: 0 }))

export function chooseSender(index: number): void {
  useSender.setState({ index })
}
