import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isChainName, NODE_PARAMETERS, nodeOptionsFromUrl } from '#client/node/node-options-from-url.ts'
import type { NumberKind } from '#rpc-types/option.ts'
import { OPTION_RANGES } from '#rpc-types/option-ranges.ts'
import { entryAddress } from '#ui/connect/endpoint-address.ts'
import { pageOfFork } from '#ui/fork/fork-consent.ts'
import { othersText } from '#ui/format/contract-text.ts'
import { LOAD_RATES, loadFromAddress, mayActUnasked } from '#ui/load/load-plan.ts'
import { parsePageOptions } from '#ui/page/page-options.ts'
import { MAX_TICKS, ScenarioError, unpackScenario } from '#ui/share/scenario.ts'
import { addressInMemory, addressOfChain, addressWithoutOptions } from '#ui/storage/page-address.ts'

// Hostile addresses for the page's parsers. `npm run fuzz` sets a time instead of a number, and a seed.
const SECONDS = process.env['FUZZ_SECONDS'] === undefined ? undefined : Number(process.env['FUZZ_SECONDS'])
const SEED = process.env['FUZZ_SEED'] === undefined ? undefined : Number(process.env['FUZZ_SEED'])
const SETTINGS = {
  numRuns: SECONDS === undefined ? 1_000 : 100_000_000,
  ...(SEED !== undefined && { seed: SEED }),
  ...(SECONDS !== undefined && { interruptAfterTimeLimit: SECONDS * 1_000, markInterruptAsFailure: false }),
}
const TIMEOUT_MS = 120_000 + (SECONDS ?? 0) * 2_000
/** Longest warning shown to people, in characters, with hidden ones spelt out. */
const LONGEST_WARNING = 5_000

const NAMES = [
  ...NODE_PARAMETERS,
  ...['chain', 'storage', 'rpc', 'fork', 'load', 'theme', 'view', 'motion', '__proto__', 'constructor', 'toString'],
]
const FORKED = {
  endpoint: { url: 'http://127.0.0.1:8545/', transport: 'http', host: '127.0.0.1:8545' },
  blockNumber: 7,
} as const
const number = fc.oneof(
  fc.constantFrom('0', '-1', '1e9', '1e999', 'NaN', 'Infinity', '-Infinity', '0x10', '1.5', '.5', ' 1', '+1', '٣', ''),
  fc.constantFrom('00000000000000000001', '9007199254740993', '9'.repeat(400), '1'.repeat(100_000)),
  fc.double().map(String),
  fc.integer().map(String),
)
const text = fc.oneof(
  number,
  fc.constantFrom('auto', 'manual', 'off', 'wasm', 'reference', 'main', '..', '/', 'a/b', 'steady', '200,burst', '500'),
  fc.constantFrom(
    'javascript:alert(1)',
    'http://127.0.0.1:8545',
    'ws://[::1]',
    'http://127.0.0.1:8545@7',
    'https://a:b@c',
    'data:,x',
    'file:///x',
  ),
  fc.constantFrom('\u202e\u00ad\u3164', '\ud800', '<img src=x onerror=alert(1)>', '%', '%00', 'x'.repeat(100_000)),
  fc.string({ unit: 'binary' }),
)
/** A lone surrogate cannot be encoded. */
const wellFormed = (each: string) => each.replace(/\p{Cs}/gu, '\ufffd')
const encoded = fc.oneof(
  text.map((each) => encodeURIComponent(wellFormed(each))),
  fc.string(),
)
/** Known and unknown names, once or repeatedly, spelt correctly or not. */
const search = fc
  .array(fc.tuple(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...NAMES) }, fc.string()), encoded), {
    maxLength: 8,
  })
  .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`))

test(
  'whatever the address, options are in range, and nothing starts without a click except in memory',
  () => {
    fc.assert(
      fc.property(search, (asked) => {
        const found = nodeOptionsFromUrl(asked)
        const { options, chain, rpc, fork, warnings } = found
        for (const [name, value] of Object.entries(options)) {
          if (name === 'mode') expect(['auto', 'manual']).toContain(value)
          else if (name === 'engine') expect(['wasm', 'reference']).toContain(value)
          else {
            const { min, max, fractional }: NumberKind = OPTION_RANGES[name as keyof typeof OPTION_RANGES]
            expect(value).toBeTypeOf('number')
            expect(value).toBeLessThanOrEqual(max)
            if (fractional) expect(value).toBeGreaterThan(min)
            else expect(Number.isSafeInteger(value) && Number(value) >= min).toBe(true)
          }
        }
        if (chain !== undefined) expect(isChainName(chain)).toBe(true)
        if (rpc) {
          expect(['http:', 'https:', 'ws:', 'wss:']).toContain(new URL(rpc.url).protocol)
          expect(new URL(rpc.url)).toMatchObject({ username: '', password: '' })
        }
        if (fork) {
          expect(rpc).toBeUndefined()
          expect(['http:', 'https:']).toContain(new URL(fork.endpoint.url).protocol)
          expect(Number.isSafeInteger(fork.blockNumber ?? 0)).toBe(true)
        }
        // Without a click, only a chain that belongs to this page alone may be used.
        const values = new URLSearchParams(asked)
        if (mayActUnasked(found)) expect([values.get('storage'), rpc, fork]).toEqual(['off', undefined, undefined])
        for (const warning of warnings) {
          const shown = othersText(warning)
          expect(shown.length).toBeLessThan(LONGEST_WARNING)
          expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]/u)
        }

        const load = loadFromAddress(asked)
        if (load)
          expect(load.rate > 0 && load.rate <= (LOAD_RATES.at(-1) ?? 0) && Number.isInteger(load.rate)).toBe(true)
        const { view, theme, motion } = parsePageOptions(asked)
        expect(['page', 'projector', 'embed']).toContain(view)
        expect([undefined, 'system', 'light', 'dark']).toContain(theme)
        expect(['system', 'off']).toContain(motion)
        expect(Reflect.get({}, 'polluted')).toBeUndefined()
      }),
      SETTINGS,
    )
  },
  TIMEOUT_MS,
)

test(
  'whatever the address of the page, its links stay on its origin',
  () => {
    const path = fc.oneof(
      fc.constantFrom('/', '//evil.example/', '/\\evil.example', '/remote.html', '/tx/0x1'),
      fc.webPath(),
    )
    const hash = fc.oneof(
      fc.constantFrom('', '#/', '#//evil.example', '#/\\evil.example', '#javascript:alert(1)', '#s='),
      fc.string().map((each) => `#${encodeURI(wellFormed(each))}`),
    )
    fc.assert(
      fc.property(path, search, hash, (pathname, asked, hashText) => {
        const page = new URL('https://blinknet.example/')
        page.pathname = pathname
        page.search = asked
        page.hash = hashText
        const { href } = page
        const addresses = [
          entryAddress(page, '/', 'own', null),
          entryAddress(page, '/', 'remote', 'http://127.0.0.1:8545'),
          pageOfFork(page, '/', FORKED),
          addressWithoutOptions(page),
          addressOfChain(page, '/', 'main'),
          addressInMemory(page, '/'),
        ]
        for (const address of addresses) expect(new URL(address, href).origin).toBe('https://blinknet.example')
      }),
      SETTINGS,
    )
  },
  TIMEOUT_MS,
)

test(
  'any shared text is either a scenario within its limits or refused with a clear message',
  async () => {
    const packed = fc.oneof(
      fc.base64String({ maxLength: 2_000 }),
      fc.string(),
      fc.constantFrom('A'.repeat(20_000), '', '=='),
    )
    await fc.assert(
      fc.asyncProperty(packed, async (given) => {
        const outcome: unknown = await unpackScenario(given).catch((error: unknown) => error)
        if (outcome instanceof ScenarioError) {
          expect(outcome.message.length).toBeLessThan(LONGEST_WARNING)
          return
        }
        const { steps } = outcome as Awaited<ReturnType<typeof unpackScenario>>
        expect(steps.reduce((sum, step) => sum + (step.kind === 'ticks' ? step.count : 0), 0)).toBeLessThanOrEqual(
          MAX_TICKS,
        )
      }),
      { ...SETTINGS, numRuns: SECONDS === undefined ? 200 : SETTINGS.numRuns },
    )
  },
  TIMEOUT_MS,
)
