import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { JsonRpcNotification } from '#rpc-types/envelope.ts'
import type { NodeOptions } from '#rpc-types/node-options.ts'
import { FakeEndpoint } from '#testing/transport/fake-endpoint.ts'
import { connectPort, DisconnectedError, type PortConnection, type PortOptions } from './port/connect-port.ts'
import { PROTOCOL } from './port/messages.ts'
import { serveHost } from './port/serve-host.ts'
import { MAX_UNREAD_CHARACTERS, servePort } from './port/serve-port.ts'

let channels: MessageChannel[]

beforeEach(() => {
  channels = []
})
afterEach(() => {
  for (const { port1 } of channels) port1.close()
})

function channel(): MessageChannel {
  const created = new MessageChannel()
  channels.push(created)
  return created
}

function gateOf<Value>() {
  let resolve!: (value: Value) => void
  const promise = new Promise<Value>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

function connect(port: MessagePort, options: Partial<PortOptions> = {}): PortConnection {
  return connectPort(port, { onNotification: () => {}, ...options })
}

const call = (method: string, id = 1) => JSON.stringify({ jsonrpc: '2.0', id, method, params: [] })

describe('a served port', () => {
  test('matches each answer to its call, in whatever order the answers come', async () => {
    const slow = gateOf<string>()
    const { port1, port2 } = channel()
    servePort(new FakeEndpoint({ slow: () => slow.promise, fast: () => 'fast' }), port1)
    const connection = connect(port2)
    const first = connection.request(call('slow'))
    const second = connection.request(call('fast'))
    expect(await second).toBe('{"jsonrpc":"2.0","id":1,"result":"fast"}')
    slow.resolve('slow')
    expect(await first).toBe('{"jsonrpc":"2.0","id":1,"result":"slow"}')
  })

  test('reports when too much is waiting to be read, and continues once it was read', async () => {
    const { port1, port2 } = channel()
    const endpoint = new FakeEndpoint({ ping: () => 'pong' })
    servePort(endpoint, port1)
    const text = 'x'.repeat(MAX_UNREAD_CHARACTERS / 8)
    // Nobody is listening at the other end yet.
    const answers = Array.from({ length: 9 }, () => endpoint.notify('0x1', text))
    expect(answers).toEqual([true, true, true, true, true, true, true, false, false])
    let seen = 0
    const connection = connect(port2, { onNotification: () => seen++ })
    // The first call is sent before anything was read, the second after all of it.
    await connection.request(call('ping'))
    await connection.request(call('ping'))
    expect(seen).toBe(9)
    expect(endpoint.notify('0x1', text)).toBe(true)
  })

  test('has no limit for a caller that keeps up', async () => {
    const { port1, port2 } = channel()
    const endpoint = new FakeEndpoint({ ping: () => 'pong' })
    servePort(endpoint, port1)
    const connection = connect(port2)
    const text = 'x'.repeat(MAX_UNREAD_CHARACTERS / 8)
    for (let i = 0; i < 20; i++) {
      expect(endpoint.notify('0x1', text)).toBe(true)
      await connection.request(call('ping'))
    }
  })

  test('passes the body unchanged, and no body if there is no reply', async () => {
    const { port1, port2 } = channel()
    const endpoint = new FakeEndpoint({ note: () => 'dropped' })
    servePort(endpoint, port1)
    const body = '{ "jsonrpc":"2.0",  "method":"note" }'
    expect(await connect(port2).request(body)).toBeUndefined()
    expect(endpoint.received).toEqual([body])
  })

  test('delivers notifications and answers in the order they were sent', async () => {
    const { port1, port2 } = channel()
    const endpoint = new FakeEndpoint({
      go: () => {
        for (let i = 0; i < 50; i++) endpoint.notify('0x1', i)
        return 'done'
      },
    })
    servePort(endpoint, port1)
    const seen: unknown[] = []
    const connection = connect(port2, {
      onNotification: (body) => seen.push((JSON.parse(body) as JsonRpcNotification).params.result),
    })
    await connection.request(call('go'))
    expect(seen).toEqual(Array.from({ length: 50 }, (_, i) => i))
  })

  test('ends the subscriptions of a caller that disconnects', async () => {
    const { port1, port2 } = channel()
    const endpoint = new FakeEndpoint()
    servePort(endpoint, port1)
    expect(endpoint.subscribers).toBe(1)
    connect(port2).close()
    await vi.waitFor(() => expect(endpoint.subscribers).toBe(0))
  })
})

describe('a connection that fails', () => {
  test('ends every pending call and every later one with the same typed error', async () => {
    const { port1, port2 } = channel()
    servePort(new FakeEndpoint(), port1)
    const ends: DisconnectedError[] = []
    const connection = connect(port2, { onDisconnected: (error) => ends.push(error) })
    const calls = [connection.request(call('a')), connection.request(call('b'))]
    const error = new DisconnectedError('the worker is gone')
    connection.fail(error)
    connection.fail(new DisconnectedError('and once more'))
    await Promise.all(calls.map((pending) => expect(pending).rejects.toBe(error)))
    await expect(connection.request(call('c'))).rejects.toBe(error)
    expect(ends).toEqual([error])
    expect(error.code).toBe('disconnected')
  })

  test('fails on an unknown message', async () => {
    const { port1, port2 } = channel()
    const connection = connect(port2)
    const pending = connection.request(call('a'))
    port1.postMessage({ kind: 'teleport' })
    await expect(pending).rejects.toThrow('the node sent an unknown message: teleport')
  })
})

describe('a host', () => {
  function host(boot: (options: NodeOptions) => Promise<FakeEndpoint>, options: Partial<PortOptions> = {}) {
    const { port1, port2 } = channel()
    const connection = connect(port2, { boot: { options: { seed: 7 }, chainName: undefined }, ...options })
    return { connection, host: serveHost(port1, boot), page: port2 }
  }

  test('boots with the options of the page, and earlier calls wait for it', async () => {
    const booted: NodeOptions[] = []
    const gate = gateOf<void>()
    const { connection } = host(async (options) => {
      booted.push(options)
      await gate.promise
      return new FakeEndpoint({ eth_chainId: () => '0x7a69' })
    })
    const answer = connection.request(call('eth_chainId'))
    await vi.waitFor(() => expect(booted).toEqual([{ seed: 7 }]))
    gate.resolve()
    expect(await answer).toContain('0x7a69')
  })

  test('that cannot boot says why, and waiting calls end with that reason', async () => {
    const { connection } = host(async () => {
      throw new RangeError('chainId must be a whole number')
    })
    const error = await connection.request(call('eth_chainId')).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(DisconnectedError)
    expect(error).toHaveProperty('message', 'chainId must be a whole number')
  })

  test('refuses a page of another protocol version', async () => {
    const { port1, port2 } = channel()
    const messages: unknown[] = []
    port2.onmessage = ({ data }) => messages.push(data)
    serveHost(port1, async () => new FakeEndpoint())
    port2.postMessage({ kind: 'boot', protocol: PROTOCOL + 1, options: {}, chainName: undefined })
    await vi.waitFor(() => expect(messages).toHaveLength(2))
    expect(messages).toEqual([
      { kind: 'ready', protocol: PROTOCOL },
      {
        kind: 'failed',
        message: `the page and the node are of different versions (protocol 3 here, 4 there): reload the page`,
      },
    ])
  })

  test('of another protocol version is refused by the page', async () => {
    const { port1, port2 } = channel()
    const connection = connect(port2, { boot: { options: {}, chainName: undefined } })
    const pending = connection.request(call('eth_chainId'))
    port1.postMessage({ kind: 'ready', protocol: 99 })
    await expect(pending).rejects.toThrow('protocol 3 here, 99 there')
  })

  test('serves attached ports, including those attached while it boots', async () => {
    const gate = gateOf<FakeEndpoint>()
    const { connection } = host(() => gate.promise)
    const [early, late] = [channel(), channel()]
    connection.attach(early.port1)
    const earlyAnswer = connect(early.port2).request(call('eth_chainId'))
    gate.resolve(new FakeEndpoint({ eth_chainId: () => '0x1' }))
    expect(await earlyAnswer).toContain('"0x1"')
    connection.attach(late.port1)
    expect(await connect(late.port2).request(call('eth_chainId'))).toContain('"0x1"')
  })

  test('with an unhandled error ends the calls of every caller', async () => {
    const booted = gateOf<void>()
    const { connection, host: served } = host(async () => new FakeEndpoint({ ping: () => 'pong' }), {
      onBooted: () => booted.resolve(),
    })
    const attached = channel()
    connection.attach(attached.port1)
    const other = connect(attached.port2)
    await other.request(call('ping'))
    const pending = [connection.request(call('hang')), other.request(call('hang'))]
    served.fail(new Error('stack of the interpreter is gone'))
    await Promise.all(pending.map((end) => expect(end).rejects.toThrow('stack of the interpreter is gone')))
  })
})
