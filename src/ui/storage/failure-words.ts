import type { StartFailure } from '#client/connection-state.ts'

/** What keeps a node from its stored chain, and what a person can do about it. */
export interface FailureWords {
  readonly title: string
  readonly what: string
  /** Whether something may be stored that is worth a copy, and that could be erased. */
  readonly mayBeStored: boolean
  /** Whether the page's address asks for what cannot be had. */
  readonly byAddress: boolean
}

const NOTHING_LOST = 'Nothing was changed or deleted.'

/** In the words of a person. */
export const FAILURE_WORDS: Readonly<Record<StartFailure, FailureWords>> = {
  corrupt: {
    title: 'The stored chain is damaged',
    what: `Part of what the browser stores of this chain is missing or makes no sense, so it cannot go on. ${NOTHING_LOST} Save a copy, then start fresh.`,
    mayBeStored: true,
    byAddress: false,
  },
  newer: {
    title: 'The stored chain is from a newer Blinknet',
    what: `A newer version of Blinknet wrote this chain, and this version cannot read it. ${NOTHING_LOST} Reload the page to get the newer version; a copy can be opened with it, too.`,
    mayBeStored: true,
    byAddress: false,
  },
  'other-options': {
    title: 'The stored chain has other options',
    what: `The page’s address asks for something that this chain was not started with. ${NOTHING_LOST} Open the chain as it is, open another one by its name, or start this one over.`,
    mayBeStored: true,
    byAddress: true,
  },
  'invalid-options': {
    title: 'No chain can run like this',
    what: 'The page’s address has options that do not go together.',
    mayBeStored: false,
    byAddress: true,
  },
  quota: {
    title: 'There is no room for the chain',
    what: `The browser has no room left for this site, so this chain cannot be opened. ${NOTHING_LOST} Free some room, or save a copy and start fresh.`,
    mayBeStored: true,
    byAddress: false,
  },
  busy: {
    title: 'Another tab does not let go of the chain',
    what: `Another tab or window of this site has this stored chain open and does not answer; the browser may have frozen it. ${NOTHING_LOST} Close the other tabs of this site, then try again.`,
    mayBeStored: true,
    byAddress: false,
  },
  'not-started': {
    title: 'The chain could not be started',
    what: `Something went wrong while the stored chain was opened. ${NOTHING_LOST} Try again first; if that does not help, save a copy, then start fresh.`,
    mayBeStored: true,
    byAddress: false,
  },
  unavailable: {
    title: 'The browser does not open its storage',
    what: `This chain is stored in the browser, which gives no access to it now. ${NOTHING_LOST} Close other tabs of this site and try again.`,
    mayBeStored: true,
    byAddress: false,
  },
}
