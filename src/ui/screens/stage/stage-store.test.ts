import { expect, test } from 'vitest'
import { BEATS, firstBeatOf, SCENES } from './scenes.ts'
import { beatAfter, Moves, parseStageMessage } from './stage-store.ts'

test('the clicker begins with the first beat, and stays at the last one', () => {
  expect(beatAfter(undefined, 'next')).toBe(0)
  expect(beatAfter(0, 'next')).toBe(1)
  expect(beatAfter(BEATS.length - 1, 'next')).toBe(BEATS.length - 1)
})

test('going back from the first beat, and ending, leads out of the scenes', () => {
  expect(beatAfter(1, 'previous')).toBe(0)
  expect(beatAfter(0, 'previous')).toBeUndefined()
  expect(beatAfter(undefined, 'previous')).toBeUndefined()
  expect(beatAfter(7, 'end')).toBeUndefined()
})

test('a press while the chain is brought to a beat waits for its turn', async () => {
  const moves = new Moves()
  const done: string[] = []
  let arrive = () => {}
  void moves.take(async () => {
    await new Promise<void>((resolve) => {
      arrive = resolve
    })
    done.push('first')
  })
  const second = moves.take(async () => void done.push('second'))
  await Promise.resolve()
  expect(done).toEqual([])
  arrive()
  await second
  expect(done).toEqual(['first', 'second'])
})

test('a move that fails does not hold up the next one', async () => {
  const moves = new Moves()
  await expect(moves.take(() => Promise.reject(new Error('no chain')))).rejects.toThrow('no chain')
  let isMade = false
  await moves.take(async () => {
    isMade = true
  })
  expect(isMade).toBe(true)
})

test('of the moves of a key that is held down, at most eight wait', async () => {
  const moves = new Moves()
  let made = 0
  const last = Array.from({ length: 100 }, () => moves.take(async () => void made++)).at(-1)
  await last
  expect(made).toBe(9)
})

test('each scene is reached at its first beat', () => {
  for (const scene of SCENES) expect(BEATS[firstBeatOf(scene)]?.beat).toBe(scene.beats[0])
})

test('a message of another window is one of three kinds, with a beat that exists', () => {
  expect(parseStageMessage({ kind: 'asks', extra: 1 })).toEqual({ kind: 'asks' })
  expect(parseStageMessage({ kind: 'shows', at: 3 })).toEqual({ kind: 'shows', at: 3 })
  expect(parseStageMessage({ kind: 'shows', at: undefined })).toEqual({ kind: 'shows', at: undefined })
  expect(parseStageMessage({ kind: 'moves', move: 'next' })).toEqual({ kind: 'moves', move: 'next' })
  for (const wrong of [
    null,
    'next',
    {},
    { kind: 'shows', at: -1 },
    { kind: 'shows', at: 1.5 },
    { kind: 'shows', at: '3' },
  ]) {
    expect(parseStageMessage(wrong)).toBeUndefined()
  }
  for (const move of [BEATS.length, -1, NaN, 'up', undefined, 'length', '__proto__']) {
    expect(parseStageMessage({ kind: 'moves', move })).toBeUndefined()
  }
})
