import { expect, test } from 'vitest'
import { type FrameHost, watchPainting } from './watch-painting.ts'

/** A page whose frames take a while after each change. */
function setUp() {
  let timeMs = 0
  let hidden = false
  let listener: (() => void) | undefined
  let plain = 0
  const host: FrameHost & { frames: ((timeMs: number) => void)[] } = {
    frames: [],
    get hidden() {
      return hidden
    },
    requestAnimationFrame: (callback) => host.frames.push(callback),
  }
  watchPainting(
    (given) => {
      listener = given
      return () => {
        listener = undefined
      }
    },
    () => plain++,
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
    plain: () => plain,
    listens: () => listener !== undefined,
  }
}

test('a page whose frames stay slow is painted plainly, once', () => {
  const page = setUp()
  page.change(50, 5)
  expect(page.plain()).toBe(0)
  page.change(50)
  expect(page.plain()).toBe(1)
  expect(page.listens()).toBe(false)
})

test('a page that is slow now and then stays as it is', () => {
  const page = setUp()
  for (let i = 0; i < 50; i++) {
    page.change(200)
    page.change(17)
  }
  page.change(34, 100)
  expect(page.plain()).toBe(0)
})

test('a page that nobody sees has no frames, and is not judged by them', () => {
  const page = setUp()
  page.hide()
  page.change(1_000, 100)
  expect(page.plain()).toBe(0)
})
