import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseCommand } from './cli.ts'

test('without arguments the node runs on this machine only, with the defaults', () => {
  expect(parseCommand([])).toEqual({ kind: 'run', host: '127.0.0.1', port: 8545, options: {} })
})

test('every option is understood, in both spellings', () => {
  const args =
    '--host ::1 --port=0 --chain-id 1337 --seed 0 --partial-ms=50 --partials 4 --clock manual --speed .5 --gas-limit 30000000'
  expect(parseCommand(args.replace(' .5', ' 0.5').split(' '))).toEqual({
    kind: 'run',
    host: '::1',
    port: 0,
    options: {
      chainId: 1337,
      seed: 0,
      partialMs: 50,
      partialsPerBlock: 4,
      mode: 'manual',
      speed: 0.5,
      gasLimit: 30_000_000,
    },
  })
})

test('help and version come before everything else', () => {
  expect(parseCommand(['--port', 'x', '--help'])).toEqual({ kind: 'help' })
  expect(parseCommand(['--version'])).toEqual({ kind: 'version' })
})

test.each([
  [['--port', '65536'], '--port takes a whole number from 0 to 65535, not "65536".'],
  [['--port', '-1'], "Option '--port' argument is ambiguous"],
  [['--port=-1'], '--port takes a whole number from 0 to 65535, not "-1".'],
  [['--host='], '--host takes a host name or an address, not nothing.'],
  [['--chain-id', '0'], '--chain-id takes a whole number from 1 to 4294967295, not "0".'],
  [['--partial-ms', '1e3'], '--partial-ms takes a whole number from 10 to 60000, not "1e3".'],
  [['--speed', '0'], '--speed takes a number above 0 and up to 100, not "0".'],
  [['--clock', 'stopped'], '--clock takes "auto" or "manual", not "stopped".'],
  [['--gas-limit', '1'], '--gas-limit takes a whole number from 5000000 to 1099511627776, not "1".'],
  [['--prot', '1'], "Unknown option '--prot'"],
  [['8545'], "Unexpected argument '8545'"],
  [['--seed'], "Option '--seed <value>' argument missing"],
])('%j is refused with a sentence', (args, message) => {
  const command = parseCommand(args)
  expect(command.kind).toBe('bad')
  expect(command).toHaveProperty('message', expect.stringContaining(message))
})

test('no command line makes the parser throw', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.constant('--seed'))), (args) => {
      expect(['run', 'help', 'version', 'bad']).toContain(parseCommand(args).kind)
    }),
  )
})
