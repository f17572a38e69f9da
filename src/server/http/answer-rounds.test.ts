import { setImmediate as nextRound } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { AnswerRounds } from './answer-rounds.ts'

test('answers to one client are written at once, those to several together at the end of the round', async () => {
  const rounds = new AnswerRounds()
  rounds.join()
  expect(rounds.next()).toBeUndefined()
  rounds.join()
  const written: number[] = []
  const write = async (answer: number) => {
    await rounds.next()
    written.push(answer)
  }
  const both = [write(1), write(2)]
  await Promise.resolve()
  expect(written).toEqual([])
  await nextRound()
  expect(written).toEqual([1, 2])
  await Promise.all(both)
  const later = write(3)
  expect(written).toEqual([1, 2])
  await later
  rounds.leave()
  expect(rounds.next()).toBeUndefined()
})
