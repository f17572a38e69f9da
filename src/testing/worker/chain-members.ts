import { createSystemClock } from '#primitives/system-clock.ts'
import type { JsonRpcResponse } from '#rpc-types/envelope.ts'
import { FakeClock } from '#testing/primitives/fake-clock.ts'
import { FakeChannels, type FakeParticipant } from '#testing/transport/fake-channels.ts'
import { FakeEndpoint } from '#testing/transport/fake-endpoint.ts'
import type { ChainDurability, ChainRole } from '#transport/port/chain-role.ts'
import { ChainMember } from '#worker/chain/chain-member.ts'
import type { RunningNode, StartNode } from '#worker/chain/leader-term.ts'
import { FakeLocks } from './fake-locks.ts'

export const CHAIN = 'blinknet:/:main'

const systemClock = createSystemClock(globalThis)

/** Lets everything run that does not wait for time to pass. */
export const settle = () => systemClock.yield()

/** A call without parameters. */
export const call = (method: string) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] })

/** The error of a journal that belongs to another node. */
class TakenOverError extends Error {}

/** A tab's worker, and its messages to its page. */
export interface MemberTab {
  readonly name: string
  readonly worker: FakeParticipant
  readonly member: ChainMember
  readonly roles: ChainRole[]
  readonly failures: unknown[]
  /** For each node that it started, whether it still runs. */
  readonly nodes: { running: boolean }[]
  /** For each node that it started, whether a person wanted the chain stored from this tab. */
  readonly asked: boolean[]
  /** For each node that it started, whether the chain before it was stored. */
  readonly wasStored: boolean[]
  /** How callers see its newest node. */
  endpoint: FakeEndpoint | undefined
  onTakenOver: () => void
}

/**
 * An origin with its tabs. All nodes share `journal`.
 *
 * @param start - How opening the chain behaves in a tab.
 * @param storage - Where the nodes say the chain is.
 */
export function browser(
  start: (tab: MemberTab) => Promise<void> = async () => {},
  storage: ChainDurability = { kind: 'journal' },
) {
  const clock = new FakeClock()
  const channels = new FakeChannels()
  const locks = new FakeLocks()
  const journal = { owner: undefined as MemberTab | undefined, counted: 0 }
  const tabs: MemberTab[] = []
  let names = 0

  function open(): MemberTab {
    const worker = channels.participant()
    const tab: Omit<MemberTab, 'member'> & { member?: ChainMember } = {
      name: `tab ${tabs.length + 1}`,
      worker,
      roles: [],
      failures: [],
      nodes: [],
      asked: [],
      wasStored: [],
      endpoint: undefined,
      onTakenOver: () => {},
    }
    const self = tab as MemberTab
    const runNode: StartNode = async ({ onTakenOver, asked, wasStored }): Promise<RunningNode> => {
      await start(self)
      journal.owner = self
      self.onTakenOver = onTakenOver
      const state = { running: true }
      self.nodes.push(state)
      self.asked.push(asked)
      self.wasStored.push(wasStored)
      const endpoint = new FakeEndpoint({
        who: () => self.name,
        eth_blockNumber: () => self.name,
        evm_mine: () => {
          if (journal.owner !== self || !state.running) return { error: { code: -32000, message: 'taken over' } }
          return ++journal.counted
        },
        eth_subscribe: () => '0x1',
      })
      self.endpoint = endpoint
      return {
        connect: (push) => endpoint.connect(push),
        storage,
        async stop() {
          await settle()
          state.running = false
          if (journal.owner !== self) throw new TakenOverError('taken over')
        },
      }
    }
    tab.member = new ChainMember({
      chainName: CHAIN,
      locks: locks.of(worker),
      open: worker.open,
      clock: {
        now: () => clock.now(),
        schedule: (callback, ms) => clock.schedule(() => worker.receive(() => void callback()), ms),
      },
      random: () => tabs.indexOf(self) / 10,
      newName: () => `name-${++names}`,
      start: runNode,
      isTakenOver: (error) => error instanceof TakenOverError,
      tell: (role) => self.roles.push(role),
      onFailure: (error) => self.failures.push(error),
    })
    tabs.push(self)
    return self
  }
  async function pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 100) {
      await clock.advance(Math.min(100, left))
      await settle()
    }
  }
  function crash(tab: MemberTab): void {
    tab.worker.die()
    locks.release(tab.worker)
  }
  return { open, pass, crash, locks, channels, journal, tabs }
}

/** The role last reported to the tab. */
export const roleOf = (tab: MemberTab) => tab.roles.at(-1)?.kind

/** The answer to the tab: a result, or an error's code. */
export async function ask(tab: MemberTab, method: string): Promise<unknown> {
  const body = await tab.member.connect().handle(call(method))
  const response = JSON.parse(body ?? '') as JsonRpcResponse
  return 'error' in response ? response.error.code : response.result
}
