import type { Page } from '@playwright/test'
import { expect, test, vi } from 'vitest'
import { RECORD_LIMITS } from '#report/test-record.ts'
import { Pictures } from './pictures.ts'

interface FakeScreencast {
  onFrame?: (frame: { readonly data: Buffer }) => void
}

function fakePage(refuses = false): { readonly page: Page; readonly cast: FakeScreencast } {
  const cast: FakeScreencast = {}
  const page = {
    isClosed: () => false,
    screenshot: () => Promise.resolve(Buffer.from('end')),
    screencast: {
      start({ onFrame }: Required<Pick<FakeScreencast, 'onFrame'>>) {
        if (refuses) return Promise.reject(new Error('Screencast is already started'))
        cast.onFrame = onFrame
        return Promise.resolve()
      },
    },
  }
  return { page: page as unknown as Page, cast }
}

test('a page is pictured whenever it changes, until the end', async () => {
  const { page, cast } = fakePage()
  const pictures = new Pictures(true)
  const reasons: string[] = []
  pictures.watch(page, (reason) => reasons.push(reason))
  for (const look of ['a', 'a', 'b']) cast.onFrame?.({ data: Buffer.from(look) })
  pictures.end()
  cast.onFrame?.({ data: Buffer.from('c') })
  await pictures.last([page])
  expect(pictures.taken.map(({ base64 }) => Buffer.from(base64, 'base64').toString())).toEqual(['a', 'b'])
  expect(reasons).toEqual([])
})

test.each([
  ['is filmed already', true, true],
  ['is not to be pictured while the test runs', false, false],
])('of a page that %s there is a picture of its end', async (_what, isOn, refuses) => {
  const { page } = fakePage(refuses)
  const pictures = new Pictures(isOn)
  const reasons: string[] = []
  pictures.watch(page, (reason) => reasons.push(reason))
  pictures.end()
  const closed = { screenshot: () => Promise.reject(new Error('closed')) } as unknown as Page
  await pictures.last([closed, page])
  expect(pictures.taken).toHaveLength(1)
  expect(reasons).toEqual(refuses ? ['Screencast is already started'] : [])
})

test('of a long test fewer pictures are kept, those that stood longest, and the last', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const { page, cast } = fakePage()
    const pictures = new Pictures(true)
    pictures.watch(page, () => {})
    for (let i = 0; i < 3 * RECORD_LIMITS.pictures; i++) {
      cast.onFrame?.({ data: Buffer.from(`picture ${i}`) })
      vi.advanceTimersByTime(i % 50 === 0 ? 5_000 : 10)
    }
    expect(pictures.taken).toHaveLength(RECORD_LIMITS.pictures)
    const kept = pictures.taken.map(({ base64 }) => Buffer.from(base64, 'base64').toString())
    expect(kept).toContain('picture 0')
    expect(kept).toContain('picture 50')
    expect(kept.at(-1)).toBe(`picture ${3 * RECORD_LIMITS.pictures - 1}`)
  } finally {
    vi.useRealTimers()
  }
})
