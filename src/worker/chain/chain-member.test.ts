import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import type { JsonRpcResponse } from '#rpc-types/envelope.ts'
import { ask, browser, CHAIN, call, type MemberTab, roleOf, settle } from '#testing/worker/chain-members.ts'
import { FAREWELL_MS } from '#transport/channel/channel-messages.ts'

const opened: MemberTab[] = []
afterEach(() => {
  for (const tab of opened.splice(0)) expect(tab.failures).toEqual([])
})
function twoTabs(origin: ReturnType<typeof browser>): readonly [MemberTab, MemberTab] {
  const pair = [origin.open(), origin.open()] as const
  opened.push(...pair)
  return pair
}

test('the first tab runs the chain, and the other tabs call it there', async () => {
  const origin = browser()
  const [first, second] = twoTabs(origin)
  expect(await Promise.all([first, second].map((tab) => ask(tab, 'who')))).toEqual(['tab 1', 'tab 1'])
  await origin.pass(1)
  expect([roleOf(first), roleOf(second)]).toEqual(['leads', 'follows'])
  expect(second.nodes).toEqual([])
})

test('a tab hears that it runs the chain after the answers to the calls that waited for it', async () => {
  const tab = browser().open()
  opened.push(tab)
  expect(await ask(tab, 'who')).toBe('tab 1')
  expect(roleOf(tab)).toBe('waits')
})

test('a tab whose node is taken over at once does not hear that it runs the chain', async () => {
  const origin = browser()
  const tab = origin.open()
  opened.push(tab)
  await ask(tab, 'who')
  tab.member.suspend()
  await origin.pass(100)
  expect(tab.roles.map(({ kind }) => kind)).not.toContain('leads')
})

test('when the tab that runs the chain crashes, another takes over and answers the waiting calls', async () => {
  const origin = browser()
  const [first, second] = twoTabs(origin)
  await ask(second, 'who')
  first.worker.frozen = true
  const [read, edit] = [ask(second, 'eth_blockNumber'), ask(second, 'evm_mine')]
  await settle()
  origin.crash(first)
  expect(await Promise.all([read, edit])).toEqual(['tab 2', 4900])
  await origin.pass(1)
  expect(roleOf(second)).toBe('leads')
  const [before, after] = second.roles.flatMap((role) => ('epoch' in role ? [role.epoch] : []))
  expect(after).toBeGreaterThan(before ?? 0)
})

test.each([
  ['stored goes on', { kind: 'journal' }, true],
  ['in memory is followed by a new one', { kind: 'memory', reason: 'a private window' }, false],
] as const)(
  'when the tab that runs the chain closes, a chain %s in the next tab',
  async (_what, storage, wasStored) => {
    const origin = browser(undefined, storage)
    const [first, second] = twoTabs(origin)
    await ask(second, 'who')
    origin.crash(first)
    expect(await ask(second, 'who')).toBe('tab 2')
    expect([first.wasStored, second.wasStored]).toEqual([[false], [wasStored]])
  },
)

test('the tab that runs the chain restarts it when asked to store it, and holds the lock meanwhile', async () => {
  const origin = browser()
  const [first, second] = twoTabs(origin)
  expect(await ask(second, 'who')).toBe('tab 1')
  first.member.keep()
  expect(await ask(second, 'who')).toBe('tab 1')
  await origin.pass(1)
  expect([roleOf(first), roleOf(second)]).toEqual(['leads', 'follows'])
  expect([first.nodes, first.asked]).toEqual([
    [{ running: false }, { running: true }],
    [false, true],
  ])
  expect(second.nodes).toEqual([])
})

test('a following tab takes over the chain when asked to store it', async () => {
  const origin = browser()
  const [first, second] = twoTabs(origin)
  await ask(second, 'who')
  second.member.keep()
  await settle()
  expect(await ask(first, 'who')).toBe('tab 2')
  await origin.pass(100)
  expect([roleOf(first), roleOf(second)]).toEqual(['follows', 'leads'])
  expect([first.nodes, second.asked]).toEqual([[{ running: false }], [true]])
})

test('a suspended tab gives up the chain once its node has finished, and follows after it is resumed', async () => {
  const origin = browser()
  const [first, second] = twoTabs(origin)
  await ask(second, 'who')
  first.member.suspend()
  // The node is still stopping.
  expect(await ask(second, 'who')).toBe('tab 1')
  await settle()
  expect(await ask(second, 'who')).toBe('tab 2')
  expect(first.nodes).toEqual([{ running: false }])
  // In the back/forward cache a page must hold no locks.
  expect(origin.locks.namesOf(first.worker)).toEqual([])
  const waiting = ask(first, 'who')
  first.member.resume()
  expect(await waiting).toBe('tab 2')
  expect(roleOf(first)).toBe('follows')
})

test('a tab that is suspended again before its node has stopped keeps the lock until it has', async () => {
  const origin = browser()
  const [first, second] = twoTabs(origin)
  await ask(second, 'who')
  first.member.suspend()
  first.member.resume()
  first.member.suspend()
  expect(origin.locks.namesOf(first.worker)).toContain(CHAIN)
  expect(first.nodes).toEqual([{ running: true }])
  await origin.pass(100)
  expect(first.nodes).toEqual([{ running: false }])
  expect(origin.locks.namesOf(first.worker)).toEqual([])
  expect(await ask(second, 'who')).toBe('tab 2')
})

test('a tab that is suspended before or while it follows holds no locks or channels', async () => {
  const origin = browser()
  const [first, second] = twoTabs(origin)
  await ask(second, 'who')
  const third = origin.open()
  third.member.suspend()
  second.member.suspend()
  await settle()
  expect([second, third].map((tab) => origin.locks.namesOf(tab.worker))).toEqual([[], []])
  for (const tab of [second, third, second]) {
    tab.member.resume()
    tab.member.suspend()
    tab.member.resume()
  }
  expect(await ask(second, 'who')).toBe('tab 1')
  expect(await ask(third, 'who')).toBe('tab 1')
  await origin.pass(1)
  expect(first.roles.at(-1)).toMatchObject({ kind: 'leads' })
})

test('another tab steals the lock from a tab that froze without warning', async () => {
  const origin = browser()
  const [first, second] = twoTabs(origin)
  const third = origin.open()
  await Promise.all([ask(second, 'who'), ask(third, 'who')])
  first.worker.frozen = true
  await origin.pass(5_000)
  const leaders = [second, third].filter((tab) => roleOf(tab) === 'leads')
  expect(leaders).toHaveLength(1)
  expect(await ask(third, 'who')).toBe(leaders[0]?.name)
  first.worker.thaw()
  await settle()
  await origin.pass(1_000)
  expect(await ask(first, 'who')).toBe(leaders[0]?.name)
  expect([roleOf(first), first.nodes]).toEqual(['follows', [{ running: false }]])
})

test('a leader that answers keeps its lock, and one that is opening a long chain gets more time', async () => {
  let finish = () => {}
  const origin = browser(
    () =>
      new Promise((resolve) => {
        finish = resolve
      }),
  )
  const [first, second] = twoTabs(origin)
  const answer = ask(second, 'who')
  await settle()
  // A frozen worker opens the chain synchronously and sends nothing meanwhile.
  first.worker.frozen = true
  await origin.pass(6_000)
  first.worker.thaw()
  finish()
  await origin.pass(1_000)
  expect(await answer).toBe('tab 1')
  await origin.pass(60_000)
  expect([roleOf(first), roleOf(second), origin.tabs.flatMap((tab) => tab.nodes)]).toEqual([
    'leads',
    'follows',
    [{ running: true }],
  ])
})

test('a node that loses its journal to another owner stops, and its tab follows', async () => {
  const origin = browser()
  const [first, second] = twoTabs(origin)
  await ask(second, 'who')
  origin.journal.owner = second
  first.onTakenOver()
  expect(await ask(first, 'who')).toBe('tab 2')
  expect(await ask(second, 'who')).toBe('tab 2')
  await settle()
  expect(first.nodes).toEqual([{ running: false }])
})

test('after the chain is replaced its node is restarted, here or in the next tab, and gets the waiting calls', async () => {
  const origin = browser()
  const [first, second] = twoTabs(origin)
  await ask(second, 'who')
  first.member.replaced()
  // Calls from here on are for the new chain.
  const reads = [ask(first, 'eth_blockNumber'), ask(second, 'eth_blockNumber')]
  await origin.pass(100)
  expect(await Promise.all(reads)).toEqual(['tab 2', 'tab 2'])
  expect(await Promise.all([ask(first, 'who'), ask(second, 'who')])).toEqual(['tab 2', 'tab 2'])
  expect([first.nodes, second.nodes]).toEqual([[{ running: false }], [{ running: true }]])
  await origin.pass(1)
  expect([roleOf(first), roleOf(second)]).toEqual(['follows', 'leads'])
  // A tab alone takes over from itself.
  origin.crash(first)
  await origin.pass(1_000)
  second.member.replaced()
  await origin.pass(200)
  expect(await ask(second, 'who')).toBe('tab 2')
  expect(second.nodes).toEqual([{ running: false }, { running: true }])
})

test('the tab that replaced the chain gets its answer before another tab runs the chain, however late it comes', async () => {
  const origin = browser()
  const [first, second] = twoTabs(origin)
  await ask(second, 'who')
  const own = origin.channels.names.find(
    (name) => name.startsWith(`${CHAIN}/`) && origin.locks.namesOf(second.worker).includes(name),
  )
  const release = origin.channels.hold(own ?? '')
  const answer = ask(second, 'evm_mine')
  await settle()
  first.member.replaced()
  await origin.pass(FAREWELL_MS - 100)
  expect([roleOf(first), roleOf(second)]).toEqual(['leads', 'follows'])
  release()
  expect(await answer).toBe(1)
  await origin.pass(200)
  expect([roleOf(first), roleOf(second)]).toEqual(['follows', 'leads'])
})

test('a frozen tab does not keep a replaced chain from its next node for long', async () => {
  const origin = browser()
  const [first, second] = twoTabs(origin)
  await ask(second, 'who')
  second.worker.frozen = true
  first.member.replaced()
  await origin.pass(FAREWELL_MS + 200)
  expect(first.nodes).toEqual([{ running: false }])
  second.worker.thaw()
  await origin.pass(100)
  expect(await Promise.all([ask(first, 'who'), ask(second, 'who')])).toEqual(['tab 2', 'tab 2'])
})

test('a tab that is suspended while its chain is replaced does not take part until it is resumed', async () => {
  const origin = browser()
  const tab = origin.open()
  await ask(tab, 'who')
  tab.member.replaced()
  tab.member.suspend()
  await settle()
  await origin.pass(1_000)
  expect(origin.locks.namesOf(tab.worker)).toEqual([])
  expect(tab.nodes).toEqual([{ running: false }])
  tab.member.resume()
  expect(await ask(tab, 'who')).toBe('tab 1')
})

test('a node that cannot start fails its tab, and leaves the chain to the next tab', async () => {
  const origin = browser(async (tab) => {
    if (tab.name === 'tab 1') throw new RangeError('no such option')
  })
  const [first, second] = [origin.open(), origin.open()]
  await settle()
  expect(first.failures).toEqual([new RangeError('no such option')])
  first.member.abandon()
  expect(await ask(second, 'who')).toBe('tab 2')
})

test('a node that cannot open the chain because another tab took it over does not fail its tab', async () => {
  let fail = (_error: Error) => {}
  const origin = browser(
    (tab) =>
      new Promise((resolve, reject) => {
        if (tab.name === 'tab 1') fail = reject
        else resolve()
      }),
  )
  const [first, second] = twoTabs(origin)
  await settle()
  first.worker.frozen = true
  await origin.pass(12_000)
  expect(await ask(second, 'who')).toBe('tab 2')
  first.worker.thaw()
  await settle()
  // The tab read one half before and one half after the other tab wrote.
  fail(new Error('the stored chain makes no sense'))
  await origin.pass(1_000)
  expect(await ask(first, 'who')).toBe('tab 2')
  expect([roleOf(first), roleOf(second)]).toEqual(['follows', 'leads'])
})

test('subscriptions of a tab continue when the node moves into it', async () => {
  const origin = browser()
  const [first, second] = twoTabs(origin)
  const heard: string[] = []
  const connection = second.member.connect((body) => heard.push(body))
  expect(await connection.handle(call('eth_subscribe'))).toContain('0x1')
  first.endpoint?.notify('0x1', 'from tab 1')
  await settle()
  origin.crash(first)
  expect(await ask(second, 'who')).toBe('tab 2')
  second.endpoint?.notify('0x1', 'from tab 2')
  expect(heard).toEqual([expect.stringContaining('from tab 1'), expect.stringContaining('from tab 2')])
})

test('whatever happens to the tabs, one runs the chain in the end, and each call has ended exactly once', async () => {
  const tab = fc.nat(3)
  const step = fc.oneof(
    { weight: 5, arbitrary: fc.record({ do: fc.constant('ask' as const), tab, edits: fc.boolean() }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('freeze' as const, 'thaw' as const), tab }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('suspend' as const, 'resume' as const), tab }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('crash' as const, 'open' as const), tab }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('pass' as const), tab, ms: fc.nat(6_000) }) },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const origin = browser()
      for (let i = 0; i < 4; i++) origin.open()
      const asked: { readonly by: MemberTab; ends: number; readonly edits: boolean; answer?: JsonRpcResponse }[] = []
      for (const next of steps) {
        const at = origin.tabs[next.tab] as MemberTab
        if (next.do === 'ask' && !at.worker.frozen && !at.worker.dead) {
          const entry: (typeof asked)[number] = { by: at, ends: 0, edits: next.edits }
          asked.push(entry)
          const connection = at.member.connect()
          void connection.handle(call(next.edits ? 'evm_mine' : 'eth_blockNumber')).then((body) => {
            entry.ends++
            entry.answer = JSON.parse(body ?? '') as JsonRpcResponse
          })
        } else if (next.do === 'freeze') at.worker.frozen = true
        else if (next.do === 'thaw') at.worker.thaw()
        else if (next.do === 'suspend') at.member.suspend()
        else if (next.do === 'resume') at.member.resume()
        else if (next.do === 'crash') origin.crash(at)
        else if (next.do === 'open') origin.open()
        else if (next.do === 'pass') await origin.pass(next.ms)
        if (next.tab % 2 === 0) await settle()
      }
      origin.open()
      const living = origin.tabs.filter(({ worker }) => !worker.dead)
      for (const { worker, member } of living) {
        worker.thaw()
        member.resume()
      }
      await origin.pass(20_000)

      expect(living.filter((one) => roleOf(one) === 'leads')).toHaveLength(1)
      expect(living.filter((one) => roleOf(one) === 'follows')).toHaveLength(living.length - 1)
      expect(living.flatMap(({ nodes }) => nodes).filter(({ running }) => running)).toHaveLength(1)
      expect(living.flatMap(({ failures }) => failures)).toEqual([])
      const answers = await Promise.all(living.map((one) => ask(one, 'who')))
      expect(new Set(answers).size).toBe(1)
      for (const { by, ends } of asked) if (!by.worker.dead) expect(ends).toBe(1)
      // No edit was made twice: the count is the answered ones plus those whose outcome is unknown.
      const edits = asked.filter((entry) => entry.edits)
      const counted = edits.filter(({ answer }) => answer && 'result' in answer).length
      const unknown = edits.filter(({ by, answer }) => by.worker.dead || (answer && 'error' in answer)).length
      expect(origin.journal.counted).toBeGreaterThanOrEqual(counted)
      expect(origin.journal.counted).toBeLessThanOrEqual(counted + unknown)
    }),
    { numRuns: 40 },
  )
})
