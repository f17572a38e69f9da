import { beforeEach, expect, test } from 'vitest'
import { parseFate } from '#fates/fault.ts'
import { DEFAULT_PINS, formatPins, parsePins, togglePin, usePins } from './pins.ts'

beforeEach(() => usePins.setState(DEFAULT_PINS))

test('what is kept is read again, and anything else gives the defaults', () => {
  const pins = { way: 'polling', fates: ['', 'reorg@11'] } as const
  expect(parsePins(formatPins(pins))).toEqual(pins)
  for (const text of [null, '', 'polling', 'polling\nvanish@1', 'walking\nreorg@11', 'polling\n\n\n\n']) {
    expect(parsePins(text)).toEqual(DEFAULT_PINS)
  }
})

test('a fourth takes the place of the oldest, and a second press takes it from the stage', () => {
  togglePin('subscribing', parseFate('reorg@11'))
  expect(usePins.getState().fates).toEqual(['withdraw@1', 'silent-stream@0', 'reorg@11'])
  togglePin('subscribing', parseFate('withdraw@1'))
  expect(usePins.getState().fates).toEqual(['silent-stream@0', 'reorg@11'])
})

test('those of the other way of a dapp are not mixed with them, and the stage is never empty', () => {
  togglePin('polling', parseFate('reorg@11'))
  expect(usePins.getState()).toEqual({ way: 'polling', fates: ['reorg@11'] })
  togglePin('polling', parseFate('reorg@11'))
  expect(usePins.getState()).toEqual(DEFAULT_PINS)
})
