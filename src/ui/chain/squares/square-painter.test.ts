import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { toWord } from '#primitives/hex.ts'
import { FakeCanvas } from '#testing/ui/fake-canvas.ts'
import { type Square, squareOf } from './square.ts'
import { type Presentation, SquarePainter } from './square-painter.ts'

const COLORS = { mempool: 'grey', preconfirmed: 'orange', sealed: 'blue', reverted: 'pink', found: 'white' }
const AS_USUAL: Presentation = { align: 'top', wanted: undefined }

/** Frames that were asked for, and run by the test. */
let frames: (() => void)[]
let nowMs: number

beforeEach(() => {
  frames = []
  nowMs = 0
  vi.stubGlobal('document', { createElement: () => new FakeCanvas() })
  vi.stubGlobal('window', { devicePixelRatio: 2 })
  vi.stubGlobal('performance', { now: () => nowMs })
  vi.stubGlobal('requestAnimationFrame', (callback: () => void) => frames.push(callback))
  vi.stubGlobal('cancelAnimationFrame', (handle: number) => {
    frames[handle - 1] = () => {}
  })
})
afterEach(() => vi.unstubAllGlobals())

function square(id: number, status: Square['status'] = 'preconfirmed', reverted = false): Square {
  return squareOf({ hash: toWord(id), from: '0x0a', to: '0x0b', value: 0n, reverted }, status, new Set())
}

const squares = (count: number) => Array.from({ length: count }, (_, i) => square(i))

function create(width = 100, height = 50) {
  const canvas = new FakeCanvas()
  const painter = new SquarePainter(canvas as unknown as HTMLCanvasElement, COLORS)
  painter.resize({ width, height })
  return { canvas, painter }
}

function runFrame(atMs: number): void {
  nowMs = atMs
  const [frame] = frames.splice(0)
  frame?.()
}

test('the canvas has the screen’s own pixels, and a square for each transaction, in rows', () => {
  const { canvas, painter } = create()
  painter.show(squares(7), AS_USUAL, false)
  expect([canvas.width, canvas.height]).toEqual([200, 100])
  const places = canvas.shown.map(({ x, y, width }) => [x, y, width])
  expect(places.slice(0, 2)).toEqual([
    [0, 0, 28],
    [36, 0, 28],
  ])
  expect(places[5]).toEqual([0, 36, 28])
  expect(places).toHaveLength(7)
})

test('only what has changed is painted again', () => {
  const { canvas, painter } = create()
  const before = squares(8)
  painter.show(before, AS_USUAL, false)
  const { copied } = canvas
  painter.show([...before.slice(0, 7), square(7, 'preconfirmed', true)], AS_USUAL, false)
  expect(canvas.copied).toBe(copied + 1)
  expect(canvas.shown).toHaveLength(8)
  painter.show(before.slice(0, 6), AS_USUAL, false)
  expect(canvas.copied).toBe(copied + 1)
  expect(canvas.shown).toHaveLength(6)
})

test('squares of one look are copies of one picture', () => {
  const { canvas, painter } = create()
  painter.show([square(1), square(2), square(3, 'sealed')], AS_USUAL, false)
  const [first, second, third] = canvas.shown.map(({ picture }) => picture)
  expect(first).toBe(second)
  expect(third).not.toBe(first)
})

test('when they no longer fit they get smaller, and all are painted anew', () => {
  const { canvas, painter } = create()
  painter.show(squares(3), AS_USUAL, false)
  painter.show(squares(60), AS_USUAL, false)
  expect(canvas.shown).toHaveLength(60)
  expect(new Set(canvas.shown.map(({ width }) => width))).toEqual(new Set([13]))
})

test('a new square grows into its size, and then nothing asks for a frame', () => {
  const { canvas, painter } = create()
  painter.show(squares(2), AS_USUAL, false)
  painter.show(squares(3), AS_USUAL, true)
  runFrame(80)
  const growing = canvas.shown.at(-1)
  expect(growing?.alpha).toBeCloseTo(0.5)
  expect(growing?.width).toBeLessThan(28)
  runFrame(200)
  expect(canvas.shown).toHaveLength(3)
  expect(canvas.shown.at(-1)).toMatchObject({ width: 28, alpha: 1 })
  expect(frames).toEqual([])
})

test('what is looked for is told from all else, and everything is as before afterwards', () => {
  const { canvas, painter } = create()
  painter.show(squares(3), AS_USUAL, false)
  const plain = canvas.shown[0]?.picture
  painter.show(squares(3), { ...AS_USUAL, wanted: toWord(1) }, false)
  const byPlace = canvas.shown.toSorted((a, b) => a.x - b.x).map(({ picture }) => picture)
  expect(byPlace[0]).toBe(byPlace[2])
  expect(byPlace[1]).not.toBe(byPlace[0])
  expect(byPlace[0]).not.toBe(plain)
  painter.show(squares(3), AS_USUAL, false)
  expect(canvas.shown.map(({ picture }) => picture)).toEqual([plain, plain, plain])
})

test('a point finds its square, and none in the gaps’ rows below and beside them', () => {
  const { painter } = create()
  painter.show(squares(6), AS_USUAL, false)
  expect(painter.at(5, 5)?.tx?.hash).toBe(toWord(0))
  expect(painter.at(20, 5)?.tx?.hash).toBe(toWord(1))
  expect(painter.at(5, 22)?.tx?.hash).toBe(toWord(5))
  expect(painter.at(20, 22)).toBeUndefined()
  expect(painter.at(99, 5)).toBeUndefined()
  expect(painter.at(5, -1)).toBeUndefined()
})

test('in the middle a row stands in the middle of the height', () => {
  const { canvas, painter } = create(100, 54)
  painter.show(squares(2), { ...AS_USUAL, align: 'middle' }, false)
  expect(canvas.shown.map(({ y }) => y)).toEqual([40, 40])
  expect(painter.at(5, 25)?.tx?.hash).toBe(toWord(0))
})

test('another size, and other colours, paint all that is there anew', () => {
  const { canvas, painter } = create()
  painter.show(squares(5), AS_USUAL, false)
  const before = canvas.shown[0]?.picture
  painter.recolor({ ...COLORS, preconfirmed: 'brown' })
  expect(canvas.shown).toHaveLength(5)
  expect(canvas.shown[0]?.picture).not.toBe(before)
  painter.resize({ width: 40, height: 50 })
  expect(canvas.width).toBe(80)
  expect(canvas.shown).toHaveLength(5)
  expect(Math.max(...canvas.shown.map(({ x }) => x))).toBeLessThan(80)
})

test('after it is stopped no frame paints', () => {
  const { canvas, painter } = create()
  painter.show(squares(1), AS_USUAL, false)
  painter.show(squares(2), AS_USUAL, true)
  painter.stop()
  const { copied } = canvas
  for (const frame of frames) frame()
  expect(canvas.copied).toBe(copied)
})

test('squares that share pixels stand exactly where they belong, so that no gap is wider than another', () => {
  const { canvas, painter } = create()
  painter.show(squares(1_500), AS_USUAL, false)
  const first = canvas.shown.slice(0, 20).map(({ x }) => x)
  const steps = first.slice(1).map((x, i) => x - (first[i] ?? 0))
  const [step = 0] = steps
  expect(step % 1).not.toBe(0)
  for (const each of steps) expect(each).toBeCloseTo(step, 6)
})

test('beside a canvas with more squares they are as small as there, and are painted anew when that gets fuller', () => {
  const { canvas, painter } = create()
  painter.show(squares(3), AS_USUAL, false)
  painter.show(squares(3), { ...AS_USUAL, most: 60 }, false)
  expect(canvas.shown).toHaveLength(3)
  expect(new Set(canvas.shown.map(({ width }) => width))).toEqual(new Set([13]))
})

test('at the bottom rows are stacked upwards, so that nothing moves when more come', () => {
  const { canvas, painter } = create()
  painter.show(squares(5), { ...AS_USUAL, align: 'bottom' }, false)
  const places = canvas.shown.map(({ x, y }) => [x, y])
  expect(places[0]).toEqual([0, 72])
  painter.show(squares(7), { ...AS_USUAL, align: 'bottom' }, false)
  expect(canvas.shown.map(({ x, y }) => [x, y]).slice(0, 5)).toEqual(places)
  expect(canvas.shown[5]).toMatchObject({ x: 0, y: 36 })
  expect(painter.at(5, 48)?.tx?.hash).toBe(toWord(0))
  expect(painter.at(5, 30)?.tx?.hash).toBe(toWord(5))
})
