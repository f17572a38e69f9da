import { ForkError } from '#node/fork/fork-error.ts'
import { openFork } from '#node/fork/open-fork.ts'
import type { Journal } from '#node/storage/journal.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { createTestNode, RpcError, type TestNode } from './test-node.ts'

/** Changes what an endpoint answers, or throws instead. */
export type ChangeAnswer = (method: string, params: readonly unknown[], answer: unknown) => unknown

/** An endpoint that has no proofs. */
export const WITHOUT_PROOFS: ChangeAnswer = (method, _params, answer) => {
  if (method !== 'eth_getProof') return answer
  const message = 'the method eth_getProof does not exist'
  throw new ForkError(`remote.example answers ${method} with an error: ${message}`, {
    answered: { code: -32601, message, data: undefined },
  })
}

const unchanged: ChangeAnswer = (_method, _params, answer) => answer

/** @throws {ForkError} The error that the chain answers, as of an endpoint. */
async function answerOf(original: TestNode, method: string, params: readonly unknown[]): Promise<unknown> {
  try {
    return await original.requestLoosely(method as 'eth_call', params)
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    const { code, message, data } = error.error
    const answered = { code, message, data }
    throw new ForkError(`remote.example answers ${method} with an error: ${message}`, { answered, cause: error })
  }
}

/** A test's chain as an endpoint, whose answers may be changed. */
export function remoteOf(original: TestNode, change = unchanged) {
  /** Methods that it was asked, oldest first. */
  const asked: string[] = []
  const ask = async (method: string, params: readonly unknown[]) => {
    asked.push(method)
    return change(method, params, await answerOf(original, method, params))
  }
  return { asked, remote: { name: 'remote.example', ask } }
}

/** A fork of a test's chain, whose endpoint's answers may be changed. */
export async function forkOf(
  original: TestNode,
  change = unchanged,
  mode: 'manual' | 'auto' = 'manual',
  journal?: Journal,
  blockNumber?: number,
) {
  const { asked, remote } = remoteOf(original, change)
  const clock = new FakeClock()
  const fork = await openFork({ remote, clock, blockNumber }, ['0x4200000000000000000000000000000000000011'])
  return { asked, node: await createTestNode({ mode }, { clock, fork, ...(journal && { journal }) }) }
}
