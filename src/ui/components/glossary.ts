/** The terms that the page explains. Every text of the page uses these words for these things. */
export const GLOSSARY = {
  mempool: {
    word: 'Mempool',
    meaning: 'Transactions that the node has checked and accepted, and that are not in a block yet.',
  },
  tick: {
    word: 'Tick',
    meaning:
      'One step of the chain’s clock, every 200 ms by default. Each tick runs transactions from the mempool and adds ' +
      'one partial block. The tick after the last partial block seals the block.',
  },
  'partial-block': {
    word: 'Partial block',
    meaning:
      'What one tick adds to the pending block: the transactions it ran and their results. By default, ten partial ' +
      'blocks make a block.',
  },
  pending: {
    word: 'Pending block',
    meaning:
      'The block the node is building now. It is not sealed: it grows with every partial block, and its hash changes ' +
      'each time. RPC calls read it with the block tag “pending”.',
  },
  preconfirmed: {
    word: 'Pre-confirmed',
    meaning:
      'Executed and placed in the pending block. The result and the position are known, and the sequencer promises to ' +
      'keep them. This is not a confirmation: the block is not sealed yet.',
  },
  sealed: {
    word: 'Sealed',
    meaning: 'In a closed block. Nothing more is added to that block, and its hash is final.',
  },
  latest: {
    word: 'Latest',
    meaning: 'The newest sealed block. It does not show transactions that are only pre-confirmed.',
  },
  receipt: {
    word: 'Receipt',
    meaning: 'The outcome of a transaction: whether it succeeded, how much gas it used, its logs, and its block.',
  },
  nonce: {
    word: 'Nonce',
    meaning:
      'A transaction’s number in its sender’s sequence, counted from 0. The chain runs an account’s transactions in ' +
      'this order and uses each number once.',
  },
  'nonce-gap': {
    word: 'Nonce gap',
    meaning:
      'A missing nonce. Transactions with higher nonces stay in the mempool until a transaction with the missing nonce ' +
      'arrives, no matter what fee they pay.',
  },
  gas: {
    word: 'Gas',
    meaning: 'The unit of computing work. A plain transfer uses 21,000 gas. The sender pays a price for each unit.',
  },
  'base-fee': {
    word: 'Base fee',
    meaning:
      'The minimum price of a unit of gas in a block. It rises after a block that used more gas than its target, by ' +
      'default a sixth of its limit, and falls after one that used less.',
  },
  reorg: {
    word: 'Reorg',
    meaning:
      'Short for reorganization: sealed blocks are removed and replaced by others. On this chain it only happens when ' +
      'somebody asks for it.',
  },
  sequencer: {
    word: 'Sequencer',
    meaning:
      'The part of a layer 2 that orders transactions and builds blocks. Here it is part of the node in this page.',
  },
} as const satisfies Readonly<Record<string, { readonly word: string; readonly meaning: string }>>

export type TermId = keyof typeof GLOSSARY
