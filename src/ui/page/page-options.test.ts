import { expect, test } from 'vitest'
import { parsePageOptions } from './page-options.ts'

test('theme, motion and view come from the address', () => {
  expect(parsePageOptions('?theme=light&motion=off&seed=4&view=embed')).toEqual({
    theme: 'light',
    motion: 'off',
    view: 'embed',
  })
})

test('unknown values are ignored', () => {
  expect(parsePageOptions('?theme=pink&view=upside-down')).toEqual({ theme: undefined, motion: 'system', view: 'page' })
})
