import { expect, test } from 'vitest'
import { type FrameHost, watchPainting } from './watch-painting.ts'

/** A page whose frames take a while after each change. */
function setUp() {
  let timeMs = 0
  let hidden = false
  let recorded = false
  let listener: (() => void) | undefined
  const painted: string[] = []
  const host: FrameHost & { frames: ((timeMs: number) => void)[] } = {
    frames: [],
    get hidden() {
      return hidden
    },
    get recorded() {
      return recorded
    },
    requestAnimationFrame: (callback) => host.frames.push(callback),
  }
  watchPainting(
    (given) => {
      listener = given
    },
    (how) => painted.push(how),
    host,
  )
  return {
    change(frameMs: number, times = 1) {
      for (let i = 0; i < times; i++) {
        listener?.()
        for (let frame = host.frames.shift(); frame; frame = host.frames.shift()) frame((timeMs += frameMs))
      }
    },
    hide: () => {
      hidden = true
    },
    record: (is: boolean) => {
      recorded = is
    },
    painted,
  }
}

test('a page whose frames stay slow is painted plainly, once', () => {
  const page = setUp()
  page.change(50, 5)
  expect(page.painted).toEqual([])
  page.change(50)
  expect(page.painted).toEqual(['plain'])
  page.change(50, 100)
  expect(page.painted).toEqual(['plain'])
})

test('a page that is fast again is painted in full again, each time only after twice as many fast frames', () => {
  const page = setUp()
  page.change(50, 6)
  page.change(17, 59)
  expect(page.painted).toEqual(['plain'])
  page.change(17)
  expect(page.painted).toEqual(['plain', 'full'])
  page.change(50, 6)
  page.change(17, 119)
  expect(page.painted).toEqual(['plain', 'full', 'plain'])
  page.change(17)
  expect(page.painted).toEqual(['plain', 'full', 'plain', 'full'])
})

test('a page that is being recorded is not judged', () => {
  const page = setUp()
  page.record(true)
  page.change(500, 100)
  expect(page.painted).toEqual([])
  page.record(false)
  page.change(500, 6)
  expect(page.painted).toEqual(['plain'])
})

test('a page that is slow now and then stays as it is', () => {
  const page = setUp()
  for (let i = 0; i < 50; i++) {
    page.change(200)
    page.change(17)
  }
  page.change(34, 100)
  expect(page.painted).toEqual([])
})

test('a page that nobody sees has no frames, and is not judged by them', () => {
  const page = setUp()
  page.hide()
  page.change(1_000, 100)
  expect(page.painted).toEqual([])
})
