import type { RecordedPicture } from '#report/test-record.ts'

/** A picture as an address of its own. */
export function pictureUrl({ type, base64 }: RecordedPicture): string {
  return `data:${type};base64,${base64}`
}

/** What the pages looked like at a time: the newest picture until then, or the first of all. */
export function pictureAt(pictures: readonly RecordedPicture[], atMs: number): RecordedPicture | undefined {
  return pictures.findLast((picture) => picture.atMs <= atMs) ?? pictures[0]
}
