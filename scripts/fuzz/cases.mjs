// The hostile input of `npm run fuzz`. A case depends only on the seed and its number. Longer than most files, as it is a
// list: each kind of case stands alone.
import { gzipSync } from 'node:zlib'
import { randomOf } from './random.mjs'

/**
 * @typedef {object} Case
 * @property {string} title - What it tries; findings are counted by it.
 * @property {'http' | 'ws' | 'raw'} over - `raw` writes the bodies as they are into a TCP connection, each on one of its own.
 * @property {readonly (string | Buffer)[]} bodies - Over WebSocket a Buffer is a binary frame.
 * @property {Record<string, string>} [headers]
 * @property {boolean} [leave] - The caller goes away before it is answered.
 * @property {boolean} [unread] - The caller reads no answer, but stays; `raw` only.
 * @property {(answers: readonly string[]) => string | undefined} [judge] - What is wrong with the answers.
 */

/** Methods that stop time, replace the chain, or make a block that does not follow the base fee rules. */
const CHANGES_THE_RULES =
  /^(?:evm_|anvil_|hardhat_)|^devnet_(?:pause|setSpeed|setTiming|reset|reorg|revert|startChain|import|stall|delaySeal|drop|tick)|Unsigned/

/** Upgrades a TCP connection to a WebSocket. */
const UPGRADE = Buffer.from(
  'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
)

/** A WebSocket message of 126 to 65,535 characters, masked with zeros; a shorter one is padded. @param {string} text */
function frameOf(text) {
  const content = Buffer.from(text.padEnd(126))
  return Buffer.concat([Buffer.from([0x81, 0xfe, content.length >> 8, content.length & 255, 0, 0, 0, 0]), content])
}

/**
 * @param {number} seed
 * @param {number} number - Kinds of input follow each other, so that a short run has met them all.
 * @param {readonly string[]} discovered - Methods that the node has.
 * @param {readonly string[]} accounts - The development accounts.
 * @param {boolean} audited - Nothing that would make the chain break its own rules.
 * @returns {Case}
 */
export function makeCase(seed, number, discovered, accounts, audited) {
  const random = randomOf(Math.imul(seed, 1_000_003) + number)
  const methods = audited ? discovered.filter((name) => !CHANGES_THE_RULES.test(name)) : discovered
  /** @template Item @param {readonly Item[]} items @returns {Item} */
  const pick = (items) => /** @type {Item} */ (items[Math.floor(random() * items.length)])
  const below = (/** @type {number} */ n) => Math.floor(random() * n)
  /** @template Item @param {number} length @param {() => Item} make */
  const many = (length, make) => Array.from({ length }, make)
  const over = pick(/** @type {const} */ (['http', 'ws']))
  const leave = random() < 0.2

  const nested = (/** @type {number} */ depth) => {
    const [open, close] = pick(/** @type {const} */ ([['[', ']'], ['{"a":', '}'], ['{"__proto__":', '}']])) // biome-ignore format: pairs
    return `${open.repeat(depth)}1${close.repeat(depth)}`
  }
  const call = (/** @type {string} */ method, /** @type {string} */ params, id = '1') =>
    `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${params}}`
  const address = () =>
    pick(['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', `0x${'00'.repeat(20)}`, `0x${'77'.repeat(20)}`])
  const names = [
    ...['from', 'to', 'data', 'input', 'gas', 'value', 'error', 'code', 'methods', 'fromBlock', 'toBlock', 'topics'],
    ...['address', 'tracer', 'types', 'calls', 'blockStateCalls', 'stateOverrides', 'accessList', 'authorizationList'],
    ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', 'toJSON', 'length', ''],
  ]
  const texts = [
    ...['latest', 'pending', 'earliest', '', '__proto__', '0x', '0xg', '\u0000\u202e', '\ud800', '0x1', '-0x1'],
    ...['newHeads', 'newPartialBlocks', 'callTracer', 'constructor', `0x${'f'.repeat(64)}`, `0x${'f'.repeat(65)}`],
  ]
  /** JSON of anything. @type {(depth: number) => string} */
  const value = (depth) => {
    const kind = below(depth > 3 ? 8 : 11)
    if (kind < 2) return JSON.stringify(pick(texts))
    if (kind < 3) return JSON.stringify(address())
    if (kind < 4) return JSON.stringify(`0x${'ab'.repeat(pick([1, 20, 32, 33, 1_000, 100_000]))}`)
    if (kind < 6)
      return pick(['0', '-1', '1e999', '12345678901234567890', '0.5', '-0', 'null', 'true', `${below(1e6)}`])
    if (kind < 8) return JSON.stringify('x'.repeat(pick([0, 1, 65, 5_000, random() < 0.1 ? 1_000_000 : 65])))
    if (kind < 9) return `[${many(below(4), () => value(depth + 1)).join(',')}]`
    return `{${many(below(5), () => `${JSON.stringify(pick(names))}:${value(depth + 1)}`).join(',')}}`
  }
  const anyCall = (id = '1') => call(pick(methods), `[${many(below(5), () => value(0)).join(',')}]`, id)

  const anyMethod = () => ({ title: 'any method with any arguments', over, leave, bodies: many(5, () => anyCall()) })

  /** @type {readonly (() => Case)[]} */
  const kinds = [
    anyMethod,
    () => ({
      title: 'a planned failure with nested data, and the call that meets it (A1)',
      over: pick(/** @type {const} */ (['http', 'ws', 'ws'])),
      bodies: [
        call(
          'devnet_failNext',
          `[{"methods":${pick(['["net_version"]', '["net_version"]', '["net_version","__proto__"]'])},"error":{"code":1,"message":"planned","data":${nested(pick([30, 200_000, 200_000]))}}}]`,
        ),
        call('net_version', '[]'),
        call('devnet_status', '[]'),
      ],
    }),
    () => {
      const id = pick([`${10n ** BigInt(16 + below(9)) + BigInt(below(1e9))}`, '-9007199254740993', `${below(1e9)}`])
      const text = pick(['"x"', '"\\u0000"', `"${'y'.repeat(below(3_000))}"`])
      const sent = random() < 0.7 ? id : text
      return {
        title: 'the id of a call comes back as it was sent (B6)',
        over,
        bodies: [`{"jsonrpc":"2.0","id":${sent},"method":"eth_chainId"}`],
        judge: ([answer]) =>
          answer && !answer.includes(`"id":${sent}`)
            ? `${sent.slice(0, 80)} came back in ${answer.slice(0, 120)}`
            : undefined,
      }
    },
    () => ({
      title: 'an invalid id',
      over,
      bodies: [
        '{}',
        '[]',
        'null',
        '1e999',
        '1.50',
        'true',
        '"__proto__"',
        nested(100),
        '-0',
        '0.1000000000000000055',
      ].map((id) => call('eth_chainId', '[]', id)),
    }),
    () => {
      const name = 'a'.repeat(pick([1, 2_000, 60_000, 2_000_000, 2_000_000, 2_000_000]))
      const loop = { Item: [{ name: 'items', type: 'List' }], List: [{ name: 'items', type: 'Item[]' }] }
      const types = pick([
        {
          EIP712Domain: [],
          Item: [{ name, type: pick(['uint8', 'uint8[]', 'Item', 'Item[]', '__proto__', 'uint7']) }],
        },
        { EIP712Domain: [], Item: [{ name, type: 'uint8' }] },
        // No item has a value of the long type, but hashing each item's type includes its name.
        { EIP712Domain: [], Item: [{ name: 'a', type: 'Deep[]' }], Deep: [{ name, type: 'uint8' }] },
        { EIP712Domain: [], Item: [{ name: 'a', type: 'Deep[]' }], Deep: [{ name, type: 'uint8' }] },
        { EIP712Domain: [], ...loop },
      ])
      const items = many(pick([1, 50, 400, 400]), () => ('Deep' in types ? { a: [] } : { [name.slice(0, 2_000)]: 1 }))
      const typed = {
        domain: pick([{}, { chainId: 1 }]),
        types: { List: [{ name: 'items', type: 'Item[]' }], ...types },
        primaryType: pick(['List', 'List', 'List', 'List', 'Item', 'None', '__proto__']),
        message: { items },
      }
      const method = pick(['eth_signTypedData_v4', 'eth_signTypedData', 'eth_signTypedData_v3'])
      return {
        title: 'typed data with crafted types (A5)',
        over,
        bodies: [call(method, JSON.stringify([address(), typed]))],
      }
    },
    anyMethod,
    () => ({
      title: 'a batch',
      over,
      leave,
      bodies: [
        `[${many(pick([0, 10, 999, 1_001, 50_000]), () =>
          pick([() => call(pick(methods), '[]'), () => anyCall(), () => '1', () => '[]'])(),
        )
          .slice(0, 2_000)
          .join(',')}]`,
      ],
    }),
    () => ({
      title: 'deep nesting',
      over,
      bodies: [
        pick([
          nested(pick([200, 257, 200_000, 2_000_000])),
          call(pick(methods), `[${nested(pick([250, 200_000]))}]`),
          call(pick(methods), nested(200_000)),
          call('eth_chainId', '[]', nested(200_000)),
        ]),
      ],
    }),
    () => ({
      title: 'a chain or a state to take in',
      over,
      bodies: [
        call(
          pick(['devnet_importChain', audited ? 'devnet_importChain' : 'devnet_importState']),
          JSON.stringify([
            pick([
              Buffer.from(`BLINKNET\u0001${'\u0000'.repeat(below(100))}`).toString('base64'),
              gzipSync(Buffer.alloc(pick([10, 1_000_000, 50_000_000]))).toString('base64'),
              `0x${gzipSync(value(0)).toString('hex')}`,
              `0x${gzipSync(Buffer.alloc(50_000_000)).toString('hex')}`,
              'x'.repeat(pick([1, 1_000_000])),
            ]),
          ]),
        ),
      ],
    }),
    () => {
      if (audited) return anyMethod()
      const words = many(pick([100, 60_000]), () => `0x${below(2 ** 32).toString(16)}`)
      const few = { balance: pick(['0x1', `0x${'f'.repeat(64)}`]), nonce: pick([0, '0xffffffffffffffff']) }
      const content = pick([
        () => ({
          [`0x${'7a'.repeat(20)}`]: { ...few, storage: Object.fromEntries(words.map((word) => [word, '0x1'])) },
        }),
        () => Object.fromEntries(words.slice(0, 20_000).map((word) => [`0x${word.slice(2).padStart(40, '7')}`, few])),
      ])()
      return {
        title: 'a state of thousands of slots or accounts (14)',
        over,
        leave,
        bodies: [call(pick(['anvil_loadState', 'hardhat_loadState']), JSON.stringify([{ accounts: content }]))],
      }
    },
    () => {
      const code = pick([
        '0x5b5f56',
        `0x${'5f'.repeat(1_000)}5b5f56`,
        '0x63ffffffff5ff3',
        '0x62ffffff5ff3',
        '0x5b5f5f5f5f5f305af15f56',
      ])
      const target = { to: `0x${'77'.repeat(20)}`, gas: '0x2faf080' }
      const override = { [target.to]: { code } }
      return {
        title: 'calls and traces without end, many at once (A6)',
        over,
        leave,
        bodies: many(pick([1, 20, 60]), () =>
          pick([
            () =>
              call(
                'debug_traceCall',
                JSON.stringify([target, 'latest', { stateOverrides: override, enableMemory: true, timeout: '2s' }]),
              ),
            () => call('eth_call', JSON.stringify([target, 'latest', override])),
            () => call('eth_estimateGas', JSON.stringify([target, 'latest', override])),
          ])(),
        ),
      }
    },
    () => {
      // PUSH3 0x200000, PUSH0, RETURN: 2 MiB of zeros; the trace includes memory and return data of each step.
      const code = pick(['0x622000005ff3', '0x62080000515f5f5f5f305af1505f5f5f5f5f305af15062080000515f525f5ff3'])
      const target = { to: `0x${'78'.repeat(20)}`, gas: '0x2faf080' }
      const config = { stateOverrides: { [target.to]: { code } }, enableMemory: true, enableReturnData: true }
      return {
        title: 'sixty large traces at once (A6)',
        over,
        leave,
        bodies: many(60, () => call('debug_traceCall', JSON.stringify([target, 'latest', config]))),
      }
    },
    () => {
      // Transactions that wait for a base fee that never comes fill the pool; all have the same size and cost.
      const data = `0x${'11'.repeat(120_000)}`
      const [fee, sender] = [1 + below(1e6), below(10)]
      const send = (/** @type {number} */ nonce) =>
        call(
          'eth_sendTransaction',
          JSON.stringify([
            {
              from: accounts[sender],
              to: `0x${'77'.repeat(20)}`,
              data,
              gas: '0x500000',
              nonce: `0x${(1_000_000 + nonce).toString(16)}`,
              maxFeePerGas: `0x${fee.toString(16)}`,
              maxPriorityFeePerGas: '0x1',
            },
          ]),
        )
      return {
        title: 'a pool full of large transactions, asked for twelve times at once (A6, A7)',
        over: pick(/** @type {const} */ (['http', 'ws'])),
        bodies: [
          ...many(6, () => send(below(60))),
          ...many(12, () => call(pick(['txpool_content', 'txpool_content', 'txpool_inspect']), '[]')),
        ],
      }
    },
    () => {
      const target = { to: `0x${'79'.repeat(20)}`, gas: '0x2faf080' }
      // Returns 2 MiB; writes the last byte of 1 MiB, then takes a few steps with that memory.
      const code = { [target.to]: { code: '0x622000005ff3' } }
      const config = { stateOverrides: { [target.to]: { code: '0x62100000515f515f515f51' } }, enableMemory: true }
      const large = () =>
        pick([
          () => call('eth_call', JSON.stringify([target, 'latest', code])),
          () => call('debug_traceCall', JSON.stringify([target, 'latest', config])),
          () => call('eth_getLogs', '[{"fromBlock":"earliest"}]'),
          () => call('txpool_content', '[]'),
          () => call('rpc_discover', '[]'),
        ])()
      const pipelined = (/** @type {string} */ body) =>
        `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
      const isHttp = random() < 0.5
      const messages = (/** @type {string} */ body) =>
        isHttp ? Buffer.from(pipelined(body).repeat(20)) : Buffer.concat([UPGRADE, ...many(20, () => frameOf(body))])
      return {
        title: `clients that never read, over ${isHttp ? 'HTTP' : 'WebSocket'} (A6)`,
        over: 'raw',
        unread: true,
        bodies: many(isHttp ? 200 : 20, () => messages(large())),
      }
    },
    anyMethod,
    () => ({
      title: 'subscriptions and filters without end (A8)',
      over: 'ws',
      leave: true,
      bodies: many(
        3,
        () =>
          `[${many(900, () => call(pick(['eth_subscribe', 'eth_newFilter']), pick(['["newPartialBlocks","block"]', '["newHeads"]', '["logs"]', '[{}]']))).join(',')}]`,
      ),
    }),
    () => ({
      title: 'many large failures planned (A8)',
      over,
      bodies: many(10, () =>
        call(
          'devnet_failNext',
          `[{"methods":["eth_coinbase"],"times":1000,"error":{"code":1,"message":"${'x'.repeat(pick([60_000, 3_000_000]))}"}}]`,
        ),
      ),
    }),
    () => ({
      title: 'transactions that are none (A7)',
      over,
      bodies: many(20, () =>
        call(
          'eth_sendRawTransaction',
          `["0x${pick(['02', '01', '04', '03', 'c0', 'ff', ''])}${pick(['f9', 'bf', 'c0', '80'])}${pick(['ff', '00', '7f'])}${'f9'.repeat(pick([1, 1_000, 65_000, 131_073]))}"]`,
        ),
      ).concat(call('txpool_content', '[]')),
    }),
    () => ({
      title: 'time, gas and speed out of all ranges',
      over,
      bodies: many(6, () => {
        const huge = pick([
          '1e308',
          '-1',
          '-0',
          '0.5',
          '1e-300',
          '18446744073709551616',
          '9007199254740993',
          '"0xffffffffffffffffff"',
          '"NaN"',
          '"Infinity"',
          'null',
          `"0x${'f'.repeat(64)}"`,
          '281474976710656',
          '4398046511104',
        ])
        const setters = methods.filter(
          (name) =>
            /(?:time|timestamp|interval|speed|timing|gas|fee|delay|stall|mine|tick|seal|balance|nonce)/i.test(name) &&
            !/^eth_get|^eth_fee/.test(name),
        )
        return call(
          pick(setters.length === 0 ? methods : setters),
          pick([`[${huge}]`, `[${huge},${huge}]`, `["${address()}",${huge}]`]),
        )
      }),
    }),
    () => ({
      title: 'a foreign origin or host is not answered (A2)',
      over,
      headers: pick([
        { Origin: 'https://evil.example' },
        { Origin: 'null' },
        { Origin: '' },
        { Origin: 'http://localhost.evil.example' },
        { Origin: 'http://127.0.0.1.nip.io' },
        { Origin: 'http://localhost@evil.example' },
        { Origin: 'http://localhost:8545.evil.example' },
        { Origin: 'http://localhost:123456' },
        { Origin: 'http://localhost/' },
        { Origin: 'http://localhost, https://evil.example' },
        { Origin: 'file://localhost' },
        { Origin: 'chrome-extension://localhost' },
        { Origin: 'http://[::1].evil.example' },
        { Origin: 'http://0.0.0.0:8545' },
        { Host: 'evil.example' },
        { Host: 'EVIL.example:8545' },
        { Host: 'localhost.evil.example' },
        { Host: '127.0.0.1.nip.io:8545' },
        { Host: '127.0.0.1@evil.example' },
        { Host: 'localhost:8545@evil.example' },
        { Host: '8.8.8.8' },
        { Host: '[2001:db8::1]:8545' },
        { Host: '0x7f.1.evil.example' },
        { Host: 'localhost..' },
      ]),
      bodies: [call('eth_chainId', '[]')],
      judge: (answers) => (answers.some((answer) => answer.includes('"result"')) ? 'it was answered' : undefined),
    }),
    () => ({
      title: 'bytes that are no JSON',
      over,
      bodies: many(3, () =>
        pick([
          '',
          '\u0000',
          '{',
          '"',
          '[1,',
          '{"a":"\\',
          'x'.repeat(5_000_000),
          '"'.repeat(5_000_000),
          '\\'.repeat(1_000_000),
        ]),
      ),
    }),
    () => ({
      title: 'binary frames',
      over: 'ws',
      bodies: many(5, () =>
        pick([Buffer.from(anyCall()), Buffer.from(many(below(5_000), () => below(256))), Buffer.alloc(6_000_000)]),
      ),
    }),
    () => {
      const head = (/** @type {string} */ rest) => Buffer.from(`POST / HTTP/1.1\r\nHost: localhost\r\n${rest}`)
      const frame = (/** @type {readonly number[]} */ bytes) => Buffer.concat([UPGRADE, Buffer.from(bytes)])
      return {
        title: 'connections that break off, stay half open, or speak something else',
        over: 'raw',
        leave,
        bodies: many(pick([1, 30]), () =>
          pick([
            head('Content-Length: 1000\r\nContent-Type: application/json\r\n\r\n{"json'),
            head('Content-Length: 99999999999999\r\n\r\n'),
            head('Content-Length: -1\r\n\r\n'),
            head('Transfer-Encoding: chunked\r\n\r\nffffffffffff\r\n{'),
            head('Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n'),
            head(`X: ${'y'.repeat(100_000)}`),
            head('Expect: 100-continue\r\nContent-Length: 5\r\n\r\n'),
            Buffer.from('GET / HTTP/1.1\r\n\r\n'),
            Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3]),
            Buffer.from(many(below(2_000), () => below(256))),
            UPGRADE,
            // Unmasked; a reserved operation; a frame of 2^63 bytes; a fragment that never ends; a close with one byte.
            frame([0x81, 0x01, 0x31]),
            frame([0x8f, 0x80, 0, 0, 0, 0]),
            frame([0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]),
            frame([0x01, 0x81, 0, 0, 0, 0, 0x7b]),
            frame([0x88, 0x81, 0, 0, 0, 0, 3]),
            frame([0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28]),
          ]),
        ),
      }
    },
  ]
  return /** @type {() => Case} */ (kinds[number % kinds.length])()
}
