import { expect, test } from 'vitest'
import { parseCommand } from './cli.ts'

function listOf(...args: readonly string[]) {
  const command = parseCommand(args)
  if (command.kind !== 'run') throw new Error('message' in command ? command.message : command.kind)
  return command.chains?.kind === 'list' ? command.chains.chains : command.chains?.file
}

test('a list has ids, names with ids, and forks, in its order', () => {
  expect(listOf('--chains', '10,1')).toEqual([
    { name: '10', options: { chainId: 10 } },
    { name: '1', options: { chainId: 1 } },
  ])
  expect(listOf('--chains', 'l1=1', '--chains', 'base=8453')).toEqual([
    { name: 'l1', options: { chainId: 1 } },
    { name: 'base', options: { chainId: 8453 } },
  ])
  expect(listOf('--chains', 'l1=https://rpc.example/key@21,10=http://localhost:1')).toMatchObject([
    { name: 'l1', options: {}, fork: { url: 'https://rpc.example/key', blockNumber: 21, retries: 5 } },
    { name: '10', options: {}, fork: { url: 'http://localhost:1', chainId: 10 } },
  ])
  expect(listOf('--chains', './some=where/chains.json')).toBe('./some=where/chains.json')
})

test.each([
  ['', 'not ""'],
  ['1,', 'not ""'],
  ['1,1', 'two chains have the name 1'],
  ['Base=1,base=2', 'two chains have the name base'],
  ['base', 'Give it an id: base=8453'],
  ['base=0', 'a whole number from 1 to'],
  ['base=4294967296', 'a whole number from 1 to'],
  ['1=2', 'a chain whose name is a number has that id'],
  ['01', 'not "01"'],
  ['../x=1', 'not "../x=1"'],
  ['__proto__=1', 'not "__proto__=1"'],
  ['a b=1', 'not "a b=1"'],
  ['tx=1', 'no chain can be named tx'],
  ['Pool=1', 'no chain can be named Pool'],
  ['l1=ftp://rpc.example', 'a whole number'],
  [Array.from({ length: 17 }, (_, i) => i + 1).join(), 'at most 16 chains, not 17'],
])('the list "%s" is refused', (list, why) => {
  expect(parseCommand(['--chains', list])).toMatchObject({
    kind: 'bad',
    message: expect.stringContaining(why) as string,
  })
})

test.each([
  [['--chain-id', '5'], '--chains and --chain-id contradict'],
  [['--fork-url', 'http://a.example'], '--chains and --fork-url contradict'],
  [['--load-state', 'x'], '--chains and --load-state contradict'],
  [['--dump-state', 'x'], '--chains and --dump-state contradict'],
  [['--state', 'x'], '--chains and --state contradict'],
  [['--config-out', 'x'], '--chains and --config-out contradict'],
  [['--room'], '--chains and --room contradict'],
  [['--retries', '2'], '--retries is about a fork'],
  [['--chains', 'x.json'], 'one file, or lists'],
  [['--pool-size', '2'], '--pool-size is about chains on demand'],
  [['--data', 'x', '--rescue', 'y'], '--chains does not go with --rescue'],
])('several chains with %j are refused', (more, why) => {
  const message = expect.stringContaining(why) as string
  expect(parseCommand(['--chains', '1,10', ...more])).toMatchObject({ kind: 'bad', message })
})

test.each([
  [['--room'], '--pool and --room contradict'],
  [['--data', 'x'], '--pool and --data contradict'],
])('a pool with %j is refused', (more, why) => {
  const message = expect.stringContaining(why) as string
  expect(parseCommand(['--pool', ...more])).toMatchObject({ kind: 'bad', message })
})

test('open takes neither', () => {
  const message = expect.stringContaining('does not go with open') as string
  expect(parseCommand(['open', 'x', '--chains', '1'])).toMatchObject({ kind: 'bad', message })
  expect(parseCommand(['open', 'x', '--pool'])).toMatchObject({ kind: 'bad', message })
})
