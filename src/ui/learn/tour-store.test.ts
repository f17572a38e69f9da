import { beforeEach, expect, test } from 'vitest'
import { closeTour, finishTour, followTransaction, goToStep, openTour, stepsOn, useTour } from './tour-store.ts'

const CLOCK = { paused: false, automine: false, speed: 1 }

beforeEach(() => {
  finishTour()
  openTour('start', CLOCK)
  followTransaction('0x01')
  goToStep('undone')
})

test('a tour that was left in the middle is resumed there', () => {
  closeTour()
  openTour('where-left', CLOCK)
  expect(useTour.getState()).toMatchObject({ step: 'undone', hash: '0x01' })
})

test('a finished tour begins at its first step, however it is opened', () => {
  finishTour()
  expect(useTour.getState()).toMatchObject({ open: false, step: 'send' })
  openTour('where-left', CLOCK)
  expect(useTour.getState().step).toBe('send')
})

test('only a clock that runs by itself has a step at full speed', () => {
  expect(stepsOn(CLOCK).at(-1)).toBe('again')
  expect(stepsOn(undefined).at(-1)).toBe('undone')
})
