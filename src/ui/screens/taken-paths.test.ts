import { expect, test } from 'vitest'
import { TAKEN_PATHS } from '#rpc-types/served-chains.ts'
import { SCREENS } from './screens.ts'

test('no chain of a server can take the path of a screen', () => {
  const firsts = SCREENS.map(({ path }) => path.split('/')[1] ?? '').filter((part) => !part.startsWith(':'))
  expect(firsts.length).toBeGreaterThan(5)
  expect(TAKEN_PATHS).toEqual(expect.arrayContaining(firsts))
})
