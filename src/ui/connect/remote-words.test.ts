import { expect, test } from 'vitest'
import { BUILT_IN_CAPABILITIES } from '#client/session/capabilities.ts'
import type { RemoteProblem } from '#client/session/remote-problem.ts'
import { explainProblem, missingFeatures, pushingAddress } from './remote-words.ts'

const ENDPOINT = { url: 'http://node.example:8545/', transport: 'http', host: 'node.example:8545' } as const
const ORIGIN = 'https://blinknet.example'

test.each([
  [{ code: 'unreachable' }, 'No server answers at http://node.example:8545/', 'Is the node running'],
  [{ code: 'cross-origin' }, 'CORS', ORIGIN],
  [{ code: 'mixed-content' }, 'not encrypted', 'https:// or wss://'],
  [{ code: 'http-status', status: 401 }, '401', 'a key'],
  [{ code: 'http-status', status: 429 }, '429', 'too many requests'],
  [{ code: 'no-json-rpc' }, 'does not speak JSON-RPC', 'path'],
  [{ code: 'silent' }, 'did not answer', 'firewall'],
  [{ code: 'wrong-chain', expected: 31337, actual: 1 }, 'serves chain 1;', 'chainId=31337'],
  [{ code: 'guest-over-http' }, 'guest of the room', 'Use ws://node.example:8545/ instead'],
  [{ code: 'refused', message: 'not today' }, 'not today', 'another endpoint'],
] satisfies readonly [RemoteProblem, string, string][])(
  '%j is explained with what happened and what to do',
  (problem, what, remedy) => {
    const explanation = explainProblem(problem, ENDPOINT, ORIGIN)
    expect(explanation.what).toContain(what)
    expect(explanation.remedy).toContain(remedy)
  },
)

test('of the server that the page came from, it says what may have happened to it', () => {
  const { what, remedy } = explainProblem({ code: 'unreachable' }, ENDPOINT, ORIGIN, true)
  expect(what).toBe(
    'node.example:8545, where this page came from, no longer answers. It has stopped or is full, or this device has left its network.',
  )
  expect(remedy).toContain('same network')
})

test('a chain that can do everything lacks nothing', () => {
  expect(missingFeatures(BUILT_IN_CAPABILITIES)).toEqual([])
})

test('each missing feature of a chain has a sentence', () => {
  const lacking = missingFeatures({ ...BUILT_IN_CAPABILITIES, preconfirms: false, devnet: false, accounts: [] })
  expect(lacking).toHaveLength(3)
  expect(lacking[0]).toMatch(/^This endpoint has no pre-confirmations: /)
  expect(missingFeatures({ ...BUILT_IN_CAPABILITIES, partialBlocks: 'none' })).toEqual([
    expect.stringContaining('ws:// address'),
  ])
})

test('a film lacks nothing by having no accounts', () => {
  expect(missingFeatures({ ...BUILT_IN_CAPABILITIES, accounts: [], film: true })).toEqual([])
})

test('for an HTTP endpoint that can push over WebSocket that address is offered', () => {
  const polled = { preconfirms: true, partialBlocks: 'none' } as const
  expect(pushingAddress(ENDPOINT, polled)).toBe('ws://node.example:8545/')
  expect(pushingAddress({ url: 'https://node.example/a', transport: 'http' }, polled)).toBe('wss://node.example/a')
  expect(pushingAddress({ url: 'ws://node.example/', transport: 'webSocket' }, polled)).toBeUndefined()
  expect(pushingAddress(ENDPOINT, { ...polled, preconfirms: false })).toBeUndefined()
  expect(pushingAddress(ENDPOINT, BUILT_IN_CAPABILITIES)).toBeUndefined()
})
