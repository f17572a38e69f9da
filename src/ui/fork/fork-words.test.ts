import { expect, test } from 'vitest'
import type { EndpointTrial } from '#client/fork/try-endpoint.ts'
import { explainTrial, findingsOf, remedyFor } from './fork-words.ts'

const ORIGIN = 'https://blinknet.example'
const ALL: EndpointTrial = {
  chainId: 1,
  newest: 21_000_000,
  block: 20_999_999,
  clientVersion: 'Geth/v1\u202e',
  withoutProofs: undefined,
  withoutArchive: undefined,
}

test('an endpoint that has all is told as such, with its own name made harmless', () => {
  const findings = findingsOf(ALL)
  expect(findings.map(({ can }) => can)).toEqual([true, true, true])
  expect(findings[0]?.what).toBe('Chain 1, newest block 21,000,000')
  expect(findings[0]?.why).not.toContain('\u202e')
})

test('what it lacks is told with its reason, and what that means', () => {
  const [, proofs, archive] = findingsOf({ ...ALL, withoutProofs: 'it answers with an error: no', withoutArchive: 'x' })
  expect(proofs).toMatchObject({ can: false, what: 'No proofs of the state at block 20,999,999' })
  expect(proofs?.why).toContain('it answers with an error: no. A fork takes this endpoint at its word')
  expect(archive).toMatchObject({ can: false, what: 'No archive' })
})

test.each([
  ['rpc.example does not answer: it does not allow this page to read its answers (CORS)', ORIGIN],
  [
    'rpc.example does not answer: the browser does not let a page from https:// connect to an http:// address',
    'https:// address',
  ],
  ['rpc.example does not answer: HTTP status 429', 'too many requests'],
  ['rpc.example does not answer: HTTP status 401', 'a key'],
  ['rpc.example does not answer: Failed to fetch', 'the port'],
  ['rpc.example has no block 7: its newest is 3', 'Choose a block that it has'],
  ['rpc.example answers eth_getBalance with an error: missing trie node', 'a newer block'],
  ['what rpc.example says of account 0x1 at block 3 is refused: its code', 'another endpoint'],
])('“%s” comes with what to do', (message, remedy) => {
  expect(remedyFor(message, ORIGIN)).toContain(remedy)
  const { message: what } = explainTrial(new Error(message), ORIGIN)
  expect(what).toBe(`${message.replace('Failed to fetch', 'no connection could be made')}.`)
})
