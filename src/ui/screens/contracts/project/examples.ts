import type { CompilerSettings, Files } from '#compiler/messages.ts'
import auction from './examples/Auction.sol?raw'
import counter from './examples/Counter.sol?raw'
import club from './examples/governance/Club.sol?raw'
import clubGovernor from './examples/governance/ClubGovernor.sol?raw'
import clubToken from './examples/governance/ClubToken.sol?raw'
import reverts from './examples/Reverts.sol?raw'
import token from './examples/Token.sol?raw'
import box from './examples/upgradeable/Box.sol?raw'
import boxProxy from './examples/upgradeable/BoxProxy.sol?raw'
import boxV2 from './examples/upgradeable/BoxV2.sol?raw'
import { DEFAULT_SETTINGS, type Project } from './project.ts'

/** An example project. */
export interface Example {
  readonly title: string
  /** Subject of the example, in a sentence or two. */
  readonly about: string
  readonly files: Files
  /** The file that is shown first. */
  readonly current: string
  /** Sample arguments for constructors, by contract. */
  readonly constructorArgs?: ReadonlyMap<string, readonly string[]>
}

const FIRST_EXAMPLE: Example = {
  title: 'Counter',
  about: 'A number on the chain, with one function that reads it and two that change it.',
  files: { 'Counter.sol': counter },
  current: 'Counter.sol',
}

export const EXAMPLES: readonly Example[] = [
  FIRST_EXAMPLE,
  {
    title: 'Token (ERC-20)',
    about: 'A token: who owns how much of it, by the standard that wallets and exchanges know.',
    files: { 'Token.sol': token },
    current: 'Token.sol',
    constructorArgs: new Map([['Token', ['Blink', 'BLK', '1000000000000000000000']]]),
  },
  {
    title: 'Auction',
    about:
      'A bid must beat the one before it, so a bidder has to know that one, and a chain that shows only sealed blocks shows a price that may be a whole block old. ' +
      'Here each bid is pre-confirmed long before its block is sealed, in an order that stays: many bidders can answer each other within one block.',
    files: { 'Auction.sol': auction },
    current: 'Auction.sol',
    constructorArgs: new Map([['Auction', ['600']]]),
  },
  {
    title: 'Reverts',
    about: 'Three ways in which a contract reverts: an error with values, a reason in words, and a panic.',
    files: { 'Reverts.sol': reverts },
    current: 'Reverts.sol',
  },
  {
    title: 'Vote (OpenZeppelin)',
    about:
      'The holders of a token with permits and votes decide through a governor. Its three files import OpenZeppelin’s contracts, which the first compilation downloads.',
    files: { 'ClubToken.sol': clubToken, 'ClubGovernor.sol': clubGovernor, 'Club.sol': club },
    current: 'ClubToken.sol',
  },
  {
    title: 'Upgrade (OpenZeppelin)',
    about: 'A contract behind a proxy (UUPS), whose owner can replace its code while its address and its state stay.',
    files: { 'Box.sol': box, 'BoxProxy.sol': boxProxy, 'BoxV2.sol': boxV2 },
    current: 'Box.sol',
  },
]

/** The example that a project began with. */
export function exampleOf({ example }: Pick<Project, 'example'>): Example | undefined {
  return EXAMPLES.find(({ title }) => title === example)
}

/** A project's identity, unlike that of any other. */
export function newId(): string {
  return `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`
}

/** A project with an example's files. */
export function createProject(
  { title, files, current }: Example = FIRST_EXAMPLE,
  settings: CompilerSettings = DEFAULT_SETTINGS,
): Project {
  return { id: newId(), name: title, files, folders: [], settings, current, example: title }
}
