import { Blocks } from 'lucide-react'
import { expect, test } from 'vitest'
import { type Command, type CommandGroup, searchCommands } from './command.ts'

const command = (group: CommandGroup, label: string, keywords = ''): Command => ({
  id: label,
  group,
  icon: Blocks,
  label,
  keywords,
  run: () => {},
})

const COMMANDS = [
  command('Screens', 'Live', 'ribbon'),
  command('Screens', 'Send', 'compose transaction'),
  command('Chain', 'Pause the chain', 'stop clock'),
  command('Chain', 'Step', 'tick partial block'),
  command('Page', 'Dark theme', 'appearance'),
]

const labels = (query: string) =>
  searchCommands(COMMANDS, query).map(({ group, commands }) => [group, ...commands.map(({ label }) => label)])

test('without a query all commands are listed, in groups', () => {
  expect(labels('  ')).toEqual([
    ['Screens', 'Live', 'Send'],
    ['Chain', 'Pause the chain', 'Step'],
    ['Page', 'Dark theme'],
  ])
})

test('every word must start a word of the name or the keywords, in any case', () => {
  expect(labels('CHAIN clo')).toEqual([['Chain', 'Pause the chain']])
  expect(labels('chain theme')).toEqual([])
  expect(labels('hain')).toEqual([])
})

test('commands that start with the query come first, with their group', () => {
  expect(labels('st')).toEqual([['Chain', 'Step', 'Pause the chain']])
  expect(labels('t')).toEqual([
    ['Chain', 'Pause the chain', 'Step'],
    ['Page', 'Dark theme'],
    ['Screens', 'Send'],
  ])
})

test('a word alone finds commands before the RPC methods that begin with it', () => {
  const commands = [
    command('Chain', 'Connect a dapp…', 'wallet viem'),
    command('RPC methods', 'wallet_sendCalls'),
    command('Page', 'Start the tour'),
  ]
  const groups = (query: string) => searchCommands(commands, query).map(({ group }) => group)
  expect(groups('wallet')).toEqual(['Chain', 'RPC methods'])
  expect(groups('wallet_')).toEqual(['RPC methods'])
})
