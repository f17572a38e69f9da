import { concatHex, type Hex } from 'viem'

/** Reverts without input until it was called with some. */
const GATE: Hex = '0x36601157600054600f5760006000fd5b005b600160005500'

/** Init code of a contract whose calls without input revert until it was called with input. */
export const DEPLOY_GATE: Hex = concatHex(['0x601880600b6000396000f3', GATE])

const ONCE: Hex = '0x600054600c576001600055005b60006000fd'

/** Init code of a contract that can be called once. */
export const DEPLOY_ONCE: Hex = concatHex(['0x601280600b6000396000f3', ONCE])
