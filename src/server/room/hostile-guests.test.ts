import { once } from 'node:events'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import type { RoomGuests, RoomPlace } from '#rpc-types/methods/room.ts'
import { guestAccount, openTestRoom, signGuestTransfer, type TestRoom } from '#testing/server/test-room.ts'
import { FakeEndpoint } from '#testing/transport/fake-endpoint.ts'
import { GuestConnection } from './guest-connection.ts'
import { costOf } from './guest-methods.ts'
import { TimeBudget } from './guest-time.ts'
import { CONNECTION_RATES, MAX_CALLS, MAX_GAS, MAX_SUBSCRIPTIONS, REFUSALS, ROOM_LIMITS, TIME_RATES } from './limits.ts'

let room: TestRoom
beforeEach(async () => {
  room = await openTestRoom()
})
afterEach(async () => {
  await room.close()
})

const call = (method: string, ...params: readonly unknown[]) => ({ jsonrpc: '2.0', id: 1, method, params })
const budgets = () => ({ own: new TimeBudget(TIME_RATES.connection), source: undefined })
const join = (number: number) => ({ name: `Guest ${number}`, address: guestAccount(number).address })
const TOO_MANY = { code: -32005, data: { retryAfterMs: expect.any(Number) as number } }

describe('how often one connection may', () => {
  test('call at all: the last call within the limit passes, the next is refused, and passes after the time that the refusal names', async () => {
    const guest = await room.connect()
    for (let i = 0; i < CONNECTION_RATES.call.burst; i++) expect(await guest.call('eth_chainId')).toBe('0x7a69')
    const refused = (await guest.call('eth_chainId')) as { data: { retryAfterMs: number } }
    expect(refused).toMatchObject({ code: -32005, data: { retryAfterMs: 1_000 / CONNECTION_RATES.call.perSecond } })
    room.clock.jump(refused.data.retryAfterMs - 1)
    expect(await guest.call('eth_chainId')).toMatchObject(TOO_MANY)
    room.clock.jump(1)
    expect(await guest.call('eth_chainId')).toBe('0x7a69')
    // Nobody else is affected.
    expect(await (await room.connect()).call('eth_chainId')).toBe('0x7a69')
  })

  test.each([
    ['send', CONNECTION_RATES.transaction.burst, 'eth_sendRawTransaction', '0x02'],
    ['send and wait', CONNECTION_RATES.transaction.burst, 'eth_sendRawTransactionSync', '0x02'],
    ['execute or search', CONNECTION_RATES.heavy.burst, 'eth_call', {}],
    ['ask who is here', CONNECTION_RATES.list.burst, 'room_guests', null],
    ['take a name', CONNECTION_RATES.join.burst, 'room_join', join(1)],
  ])('%s: %d times at once', async (_what, burst, method, param) => {
    const guest = await room.connect()
    for (let i = 0; i < burst; i++) expect(await guest.call(method, param)).not.toMatchObject({ code: -32005 })
    expect(await guest.call(method, param)).toMatchObject(TOO_MANY)
  })

  test('be refused: whoever does not stop is disconnected', async () => {
    const guest = await room.connect()
    const closed = once(guest.socket, 'close')
    const last = CONNECTION_RATES.call.burst + REFUSALS.burst
    for (let i = 0; i < last; i++) await guest.call('eth_chainId')
    expect(guest.socket.readyState).toBe(guest.socket.OPEN)
    // Not even JSON.
    guest.socket.send('[')
    await closed
    expect(await room.rpc('speaker', 'room_guests')).toMatchObject({ watching: 0 })
  })
})

test('a guest who calls too often is refused call by call, or as a whole if the body is long', async () => {
  const guest = await room.connect()
  for (let i = 0; i < CONNECTION_RATES.call.burst; i++) await guest.call('eth_chainId')
  const answers: unknown[] = []
  guest.socket.on('message', (data) => answers.push(JSON.parse((data as Buffer).toString())))
  const batch = [call('eth_chainId'), { ...call('eth_chainId'), id: 2 }, { jsonrpc: '2.0', method: 'eth_chainId' }]
  guest.socket.send(JSON.stringify(batch))
  guest.socket.send(JSON.stringify(call('web3_sha3', `0x${'00'.repeat(2_048)}`)))
  guest.socket.send(JSON.stringify(batch[2]))
  expect(await guest.call('eth_chainId')).toMatchObject(TOO_MANY)
  await expect.poll(() => answers).toHaveLength(3)
  const refused = (id: unknown): unknown =>
    expect.objectContaining({ id, error: expect.objectContaining(TOO_MANY) as unknown })
  expect(answers).toContainEqual([refused(1), refused(2)])
  expect(answers).toContainEqual(refused(null))
})

describe('how much a guest may send', () => {
  test('a batch has a limit', async () => {
    const batch = (size: number) => JSON.stringify(Array.from({ length: size }, () => call('eth_chainId')))
    const { text } = await room.post('guest', batch(MAX_CALLS))
    expect(JSON.parse(text)).toHaveLength(MAX_CALLS)
    expect((await room.post('guest', batch(MAX_CALLS + 1))).text).toContain('batch too large')
    expect((await room.post('speaker', batch(MAX_CALLS + 1))).text).not.toContain('batch too large')
  })

  test('a body has a limit, over HTTP and over WebSocket', async () => {
    const body = (bytes: number) => JSON.stringify(call('web3_sha3', '0x')).padEnd(bytes)
    expect(await room.post('guest', body(ROOM_LIMITS.bodyBytes))).toMatchObject({ status: 200 })
    expect(await room.post('guest', body(ROOM_LIMITS.bodyBytes + 1))).toEqual({
      status: 413,
      text: `content length too large: the limit is ${ROOM_LIMITS.bodyBytes} bytes\n`,
    })
    expect(await room.post('speaker', body(ROOM_LIMITS.bodyBytes + 1))).toMatchObject({ status: 200 })
    const guest = await room.connect()
    const closed = once(guest.socket, 'close')
    guest.socket.send(body(ROOM_LIMITS.bodyBytes + 1))
    expect(await closed).toEqual([1009, expect.anything()])
  })

  test('deeply nested bodies, and bodies that are not calls, are refused and harm nobody', async () => {
    const bodies = [
      '['.repeat(60_000),
      '{"a":'.repeat(10_000),
      '[]',
      '7',
      'null',
      '[null,7,{}]',
      '{"__proto__":{}}',
      '',
    ]
    bodies.push('{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":{"__proto__":{"x":1}}}')
    bodies.push(
      '{"jsonrpc":"2.0","id":{},"method":"eth_chainId"}',
      '{"jsonrpc":"2.0","id":1e400,"method":"eth_chainId"}',
    )
    for (const body of bodies) expect(await room.post('guest', body)).toMatchObject({ status: 200 })
    expect(await room.rpc('guest', 'eth_chainId')).toBe('0x7a69')
    expect(room.logged).toEqual([])
  })

  test('the subscriptions of a connection are limited, and ending one makes room for another', async () => {
    const guest = await room.connect()
    const ids: unknown[] = [await guest.call('eth_subscribe', 'room'), await guest.call('eth_subscribe', 'newHeads')]
    while (ids.length < MAX_SUBSCRIPTIONS) ids.push(await guest.call('eth_subscribe', 'newPartialBlocks', 'diff'))
    expect(await guest.call('eth_subscribe', 'logs')).toMatchObject({ code: -32005 })
    for (const id of [ids[0], ids.at(-1)]) {
      expect(await guest.call('eth_unsubscribe', id)).toBe(true)
      expect(await guest.call('eth_unsubscribe', id)).toBe(false)
      expect(await guest.call('eth_subscribe', 'newPendingTransactions')).toMatch(/^0x/)
    }
    expect(await guest.call('eth_subscribe', 'logs')).toMatchObject({ code: -32005 })
    expect(room.room.following).toBe(MAX_SUBSCRIPTIONS - 1)
    guest.socket.close()
    await expect.poll(() => room.room.following).toBe(0)
  })

  test('a subscription that fails takes no place', async () => {
    const node = new FakeEndpoint({
      eth_subscribe() {
        throw new Error('broken')
      },
    })
    const guest = new GuestConnection(room.room, {
      inner: node.connect(),
      allowances: [],
      time: budgets(),
      receive() {},
      cutOff() {},
    })
    const body = JSON.stringify(call('eth_subscribe', 'logs'))
    for (let i = 0; i <= MAX_SUBSCRIPTIONS; i++) expect(await guest.handle(body)).toContain('internal error')
    expect(room.room.following).toBe(0)
    expect(room.logged).toHaveLength(MAX_SUBSCRIPTIONS + 1)
    guest.close()
  })

  test('the events of a subscription come after the answer with its id, even if that waits for another call', async () => {
    let answer = (_result: string) => {}
    const node = new FakeEndpoint({
      eth_getBalance: () => new Promise((resolve) => void (answer = resolve)),
    })
    const received: string[] = []
    const guest = new GuestConnection(room.room, {
      inner: node.connect(),
      allowances: [],
      time: budgets(),
      receive: ({ texts }) => void received.push(...texts),
      cutOff() {},
    })
    const witness = await room.connect()
    await witness.call('eth_subscribe', 'newHeads')
    const answered = guest.handle(JSON.stringify([call('eth_subscribe', 'newHeads'), call('eth_getBalance', '0x')]))
    await room.rpc('speaker', 'devnet_tick', 10)
    await expect.poll(() => witness.pushed.length).toBe(1)
    expect(received).toEqual([])
    answer('0x0')
    expect(await answered).toContain('0x6865616473')
    await room.rpc('speaker', 'devnet_tick', 10)
    await expect.poll(() => received.length).toBe(1)
    guest.close()
  })

  test.each([
    ['whole blocks', ['newPartialBlocks', 'block']],
    ['whole blocks by their other name', ['newFlashblocks']],
    ['consoles', ['consoleLogs']],
    ['a prototype', ['__proto__']],
    ['a list', [['newHeads']]],
    ['nothing', []],
  ])('there is no subscription to %s', async (_what, params) => {
    const guest = await room.connect()
    expect(await guest.call('eth_subscribe', ...params)).toMatchObject({ code: -32601 })
    expect(room.room.following).toBe(0)
  })
})

describe('a guest’s name and address', () => {
  test('are nobody else’s, not even while its phone sleeps; it is known again by the secret of its first join', async () => {
    const ann = await room.connect()
    const place = (await ann.call('room_join', { ...join(1), name: 'Ann' })) as RoomPlace
    ann.socket.terminate()
    const ended = async () => ((await room.rpc('speaker', 'room_guests')) as RoomGuests).connected
    await expect.poll(ended).toBe(0)
    const names = async () => ((await room.rpc('speaker', 'room_guests')) as RoomGuests).guests.map(({ name }) => name)

    const mallory = await room.connect()
    for (const secret of [undefined, null, '0x', `0x${'00'.repeat(16)}`, [place.secret], { toString: place.secret }]) {
      room.clock.jump(10_000)
      expect(await mallory.call('room_join', { ...join(1), name: 'Ann is a thief', secret })).toMatchObject({
        code: 4100,
        message: expect.stringContaining('has joined already') as string,
      })
    }
    expect(JSON.stringify(await mallory.call('room_guests'))).not.toContain(place.secret)
    expect(await names()).toEqual(['Ann'])

    const back = await room.connect()
    room.clock.jump(10_000)
    expect(await back.call('room_join', { ...join(1), name: 'Ann B.', secret: place.secret })).toEqual(place)
    expect(await names()).toEqual(['Ann B.'])
  })
})

describe('a transaction of a guest', () => {
  test('needs an address that has joined, whoever sends it: not one of the node, whose keys everyone knows', async () => {
    const guest = await room.connect()
    await guest.call('room_join', join(1))
    const { privateKeyToAccount } = await import('viem/accounts')
    const stolen = await privateKeyToAccount(DEV_KEYS[0]?.privateKey ?? '0x').signTransaction({
      type: 'eip1559',
      chainId: 31_337,
      nonce: 0,
      to: guestAccount(1).address,
      value: 10n ** 21n,
      gas: 21_000n,
      maxFeePerGas: 3_000_000_000n,
    })
    const refused = { code: -32000, message: expect.stringContaining('come from an address that has joined') as string }
    for (const method of ['eth_sendRawTransaction', 'eth_sendRawTransactionSync']) {
      expect(await guest.call(method, stolen)).toMatchObject(refused)
      expect(await guest.call(method, await signGuestTransfer(2, 0))).toMatchObject(refused)
    }
    expect(await room.rpc('guest', 'txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
    expect(await room.rpc('speaker', 'eth_sendRawTransaction', stolen)).toMatch(/^0x/)
  })

  test('has a limit for its gas', async () => {
    const guest = await room.connect()
    await guest.call('room_join', join(1))
    expect(await guest.call('eth_sendRawTransaction', await signGuestTransfer(1, 0, MAX_GAS + 1n))).toMatchObject({
      message: `transactions of guests have at most ${MAX_GAS} gas, not ${MAX_GAS + 1n}`,
    })
    expect(await guest.call('eth_sendRawTransaction', await signGuestTransfer(1, 0, MAX_GAS))).toMatch(/^0x/)
  })

  test('sets no code: an authorization could be that of an account whose key everyone knows', async () => {
    const guest = await room.connect()
    await guest.call('room_join', join(1))
    const authorization = await guestAccount(2).signAuthorization({
      chainId: 31_337,
      nonce: 0,
      contractAddress: `0x${'11'.repeat(20)}`,
    })
    const raw = await guestAccount(1).signTransaction({
      type: 'eip7702',
      chainId: 31_337,
      nonce: 0,
      to: guestAccount(1).address,
      gas: 100_000n,
      maxFeePerGas: 3_000_000_000n,
      authorizationList: [authorization],
    })
    expect(await guest.call('eth_sendRawTransaction', raw)).toMatchObject({
      message: 'transactions of guests cannot set code: transactions of guests have type 0, 1 or 2',
    })
  })
})

describe('whose page it is', () => {
  const body = JSON.stringify(call('room_info'))
  test.each([
    ['another website acts for the speaker', 'speaker', { origin: 'https://evil.example' }],
    ['another website acts as a guest', 'guest', { origin: 'https://evil.example' }],
    ['a website gives itself as the name of this machine (DNS rebinding)', 'speaker', { host: 'evil.example' }],
    [
      'so it does, and its page is of its own origin',
      'speaker',
      { host: 'evil.example', origin: 'http://evil.example' },
    ],
    ['a page of the room for guests acts for the speaker', 'speaker', { origin: 'http://192.168.1.5' }],
    ['a sandboxed page acts for the speaker', 'speaker', { origin: 'null' }],
    ['a proxy forwards to the speaker’s port', 'speaker', { 'x-forwarded-for': '1.2.3.4' }],
    ['a proxy that does not name its clients forwards to it', 'speaker', { via: '1.1 proxy' }],
    ['a tunnel leads to the speaker’s port, and guests call its name', 'speaker', { host: 'room.example' }],
    ['a tunnel leads there, and guests call an address of this machine', 'speaker', { host: '192.168.1.5' }],
    ['a name only begins like an address of this machine', 'speaker', { host: '127.0.0.1.room.example' }],
    ['a malformed name', 'speaker', { host: 'localhost:8545:1' }],
  ] as const)('%s: refused', async (_who, as, headers) => {
    expect(await room.post(as, body, { headers })).toMatchObject({ status: 403 })
  })

  test.each(['localhost:8545', 'LOCALHOST', '127.0.0.1', '[::1]:8545'])(
    'who calls the speaker’s port %s is the speaker',
    async (host) => {
      expect(roleIn((await room.post('speaker', body, { headers: { host } })).text)).toBe('speaker')
    },
  )

  test('the page that the room serves to guests may call it', async () => {
    const headers = { host: '192.168.1.5', origin: 'http://192.168.1.5' }
    const { status, text } = await room.post('guest', body, { headers })
    expect({ status, role: roleIn(text) }).toEqual({ status: 200, role: 'guest' })
  })

  // As from this machine: that is where a tunnel of plain TCP ends.
  test('nothing that a guest writes makes it the speaker, not even through a tunnel', async () => {
    const own = `127.0.0.1:${room.ports.speaker}`
    const forged = [
      { host: 'localhost' },
      { host: '127.0.0.1' },
      { host: own },
      { host: '[::1]' },
      { host: own, origin: `http://${own}`, referer: `http://${own}/?view=projector` },
      { host: 'localhost', 'x-forwarded-for': '127.0.0.1', 'x-forwarded-host': 'localhost', 'x-real-ip': '127.0.0.1' },
      { host: 'localhost', forwarded: 'for=127.0.0.1;host=localhost' },
    ]
    for (const headers of forged) {
      for (const path of ['/', '/rpc?role=speaker', `http://${own}/`, '/?view=projector&latest=sealed']) {
        expect(roleIn((await room.post('guest', body, { headers, path })).text)).toBe('guest')
      }
      const guest = await room.connect('guest', headers)
      expect(await guest.call('room_info')).toMatchObject({ role: 'guest' })
      expect(await guest.call('evm_mine')).toMatchObject({ code: -32601 })
    }
  })

  function roleIn(text: string): string {
    return (JSON.parse(text) as { result: { role: string } }).result.role
  }
})

test('whatever a guest sends, only methods on the list reach the node', async () => {
  const methods = Object.fromEntries(
    ['eth_chainId', 'eth_accounts', 'evm_mine', 'eth_sendTransaction', 'eth_subscribe'].map((name) => [
      name,
      () => '0x1',
    ]),
  )
  const method = fc.oneof(fc.constantFrom(...Object.keys(methods), 'room_info', '__proto__'), fc.string())
  const single = fc.record(
    {
      jsonrpc: fc.oneof(fc.constant('2.0'), fc.jsonValue()),
      id: fc.oneof(fc.integer(), fc.jsonValue()),
      method: fc.oneof(method, fc.jsonValue()),
      params: fc.oneof(fc.constant(['newHeads']), fc.constant(['room']), fc.jsonValue()),
    },
    { requiredKeys: ['method'] },
  )
  const body = fc.oneof(
    single.map((one) => JSON.stringify(one)),
    fc.array(single, { maxLength: 4 }).map((many) => JSON.stringify(many)),
    fc.json(),
    fc.string(),
    // The last of two members with one name is the one that counts.
    method.map((last) => `{"jsonrpc":"2.0","id":1,"method":"eth_chainId","method":${JSON.stringify(last)}}`),
  )
  await fc.assert(
    fc.asyncProperty(body, async (text) => {
      const node = new FakeEndpoint(methods)
      const line = { inner: node.connect(), allowances: [], time: budgets(), receive: () => {}, cutOff: () => {} }
      const guest = new GuestConnection(room.room, line)
      const answer = await guest.handle(text)
      if (answer !== undefined) JSON.parse(answer)
      for (const each of node.received) expect(costOf((JSON.parse(each) as { method: string }).method)).toBeDefined()
      guest.close()
    }),
    { numRuns: 300 },
  )
  expect(room.logged).toEqual([])
})
