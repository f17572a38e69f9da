/** What the words of the page mean, for those who meet them for the first time. */
export const GLOSSARY = {
  mempool: {
    word: 'Mempool',
    meaning: 'The node’s waiting room: transactions that it has checked and accepted, and that are in no block yet.',
  },
  tick: {
    word: 'Tick',
    meaning:
      'The beat of the chain, every 200 ms unless it was set otherwise. Each tick runs what waits in the mempool and ' +
      'adds a partial block; the tick after a block’s last one seals it.',
  },
  'partial-block': {
    word: 'Partial block',
    meaning:
      'What one tick adds to the live block: the transactions that it ran, with their results. Ten make a block, ' +
      'unless it was set otherwise.',
  },
  pending: {
    word: 'Pending',
    meaning:
      'Not sealed yet. The block “pending” is the live block: a whole block at every moment, with everything that is ' +
      'pre-confirmed in it. It still grows, and its hash still changes.',
  },
  preconfirmed: {
    word: 'Pre-confirmed',
    meaning:
      'Executed and placed in the live block: the result and the position are known, and the node says that it will ' +
      'seal it so. An advanced pending, not a confirmation, since no sealed block stands behind it yet.',
  },
  sealed: {
    word: 'Sealed',
    meaning: 'In a block that is closed: nothing is added to it any more, and its hash is final.',
  },
  latest: {
    word: 'Latest',
    meaning: 'The newest sealed block. What is only pre-confirmed does not show there.',
  },
  receipt: {
    word: 'Receipt',
    meaning: 'What came of a transaction: success or revert, the gas that it used, its logs and its block.',
  },
  nonce: {
    word: 'Nonce',
    meaning:
      'How many transactions the account had sent before this one. A chain takes an account’s transactions in that ' +
      'order, and each number once.',
  },
  'nonce-gap': {
    word: 'Nonce gap',
    meaning:
      'A nonce that the account has not used yet, below that of a transaction which waits. It waits until somebody fills ' +
      'the gap, whatever it pays.',
  },
  gas: {
    word: 'Gas',
    meaning: 'The measure of a transaction’s work. A plain transfer takes 21,000; the sender pays for each unit.',
  },
  'base-fee': {
    word: 'Base fee',
    meaning:
      'What each unit of gas costs at the least in a block. It rises after full blocks and falls after empty ones.',
  },
  reorg: {
    word: 'Reorg',
    meaning:
      'A reorganisation: sealed blocks are taken back, and others come in their place. On this chain it happens only ' +
      'if somebody asks for it.',
  },
  sequencer: {
    word: 'Sequencer',
    meaning:
      'Who decides the order of transactions on a layer 2 and builds its blocks. Here it is a part of the node in ' +
      'this page.',
  },
} as const satisfies Readonly<Record<string, { readonly word: string; readonly meaning: string }>>

export type TermId = keyof typeof GLOSSARY
