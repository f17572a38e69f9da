/** The token. @type {`0x${string}`} */
export const DUCAT_ADDRESS = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
/** Holds a million of it; nobody here has the key. @type {`0x${string}`} */
export const HOLDER = '0x000000000000000000000000000000000000a11c'
/** What the dapp gives to. @type {`0x${string}`} */
export const SHELTER = '0x00000000000000000000000000000000000005e7'
