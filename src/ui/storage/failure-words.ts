import type { StartFailure } from '#client/session/connection-state.ts'

/** Explains why a node cannot open its stored chain, and what a person can do about it. */
export interface FailureWords {
  readonly title: string
  readonly what: string
  /** Whether there may be a stored chain that is worth a copy, and that could be erased. */
  readonly mayBeStored: boolean
  /** Whether the options in the page's address are the problem. */
  readonly byAddress: boolean
  /** Whether a part of it may be proven, and another not. */
  readonly mayBeDamaged?: true
}

const NOTHING_LOST = 'Nothing was changed or deleted.'

/** Each failure in plain words. */
export const FAILURE_WORDS: Readonly<Record<StartFailure, FailureWords>> = {
  corrupt: {
    title: 'The stored chain is damaged',
    what: `Part of this chain’s stored data is missing or invalid, so the chain cannot continue. ${NOTHING_LOST} Save what is good, or a copy of everything, then start fresh.`,
    mayBeStored: true,
    byAddress: false,
    mayBeDamaged: true,
  },
  newer: {
    title: 'The stored chain is from a newer Blinknet',
    what: `A newer version of Blinknet wrote this chain, and this version cannot read it. ${NOTHING_LOST} Reload the page to get the newer version. It can also open a copy.`,
    mayBeStored: true,
    byAddress: false,
  },
  'other-options': {
    title: 'The stored chain has other options',
    what: `This chain was started with options other than those in the page’s address. ${NOTHING_LOST} Open the chain as it is, open another chain by name, or start this one over.`,
    mayBeStored: true,
    byAddress: true,
  },
  'invalid-options': {
    title: 'These options do not work',
    what: 'The options in the page’s address contradict each other.',
    mayBeStored: false,
    byAddress: true,
  },
  quota: {
    title: 'No space left for the chain',
    what: `This site has used up its storage space in the browser, so the chain cannot be opened. ${NOTHING_LOST} Free some space, or save a copy and start fresh.`,
    mayBeStored: true,
    byAddress: false,
  },
  busy: {
    title: 'Another tab is holding the chain',
    what: `Another tab or window of this site has this chain open and does not respond. The browser may have frozen it. ${NOTHING_LOST} Close the other tabs of this site, then try again.`,
    mayBeStored: true,
    byAddress: false,
  },
  'not-started': {
    title: 'The chain could not be started',
    what: `Something went wrong while opening the stored chain. ${NOTHING_LOST} Try again first. If that does not help, save what is good, then start fresh.`,
    mayBeStored: true,
    byAddress: false,
    mayBeDamaged: true,
  },
  unavailable: {
    title: 'The browser’s storage is not available',
    what: `This chain is stored in the browser, but the browser does not give access to it right now. ${NOTHING_LOST} Close other tabs of this site and try again.`,
    mayBeStored: true,
    byAddress: false,
  },
}
