import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { StoredChainError } from '#client/node/stored-chain.ts'
import { FakeStorage } from '#testing/ui/fake-storage.ts'
import { noteFork, recentForks } from './recent-forks.ts'

const nameOf = (n: number) => `fork-${n.toString(16).padStart(24, '0')}`

beforeEach(() => void vi.stubGlobal('localStorage', new FakeStorage()))
afterEach(() => void vi.unstubAllGlobals())

test('the forks that were opened last stay; older ones are erased unless a tab has them open', async () => {
  const erased: string[] = []
  const erase = async (name: string) => void erased.push(name)
  for (let n = 0; n < 10; n++) await noteFork(nameOf(n), async (name) => name === nameOf(0), erase)
  expect(erased).toEqual([nameOf(1)])
  await noteFork(nameOf(0), async () => false, erase)
  expect(erased).toEqual([nameOf(1), nameOf(2)])
  expect(recentForks()).toEqual([0, 9, 8, 7, 6, 5, 4, 3].map(nameOf))
})

test('one that cannot be erased now is tried again, and what is no name of a fork is never erased', async () => {
  localStorage.setItem('blinknet:forks', `main ${Array.from({ length: 8 }, (_, n) => nameOf(n)).join(' ')}`)
  const fails = () => Promise.reject(new StoredChainError('busy'))
  await noteFork(nameOf(8), async () => false, fails)
  expect(recentForks()).toHaveLength(9)
  const erased: string[] = []
  await noteFork(
    nameOf(9),
    async () => false,
    async (name) => void erased.push(name),
  )
  expect(erased).toEqual([nameOf(6), nameOf(7)])
})
