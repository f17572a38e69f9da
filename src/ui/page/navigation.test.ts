import { expect, test } from 'vitest'
import { isOfScreen } from './navigation.ts'

test.each(['step=3', 'at=45.3', 'f.from=0xab', 'f.=', 'f.no-such=1', 'f.a%3Db=1', 'f%2Efrom=0xab', '%61t=4', 'f.from'])(
  'what a screen has put into the address stays with it, however it is written: %s',
  (part) => {
    expect(isOfScreen(part)).toBe(true)
  },
)

test.each(['clock=manual', 'fork=https://a.example?at=4', 'format=1', 'steps=2', ''])(
  'the set-up goes along to other screens: %s',
  (part) => {
    expect(isOfScreen(part)).toBe(false)
  },
)
