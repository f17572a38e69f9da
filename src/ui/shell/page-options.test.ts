import { expect, test } from 'vitest'
import { parsePageOptions } from './page-options.ts'

test('theme and motion come from the address', () => {
  expect(parsePageOptions('?theme=light&motion=off&seed=4')).toEqual({ theme: 'light', motion: 'off' })
})

test('an unknown theme leaves the choice to the person', () => {
  expect(parsePageOptions('?theme=pink')).toEqual({ theme: undefined, motion: 'system' })
})
