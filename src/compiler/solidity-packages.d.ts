/** The module that `scripts/build/solidity-packages.mjs` makes of packages of Solidity sources. */
declare module 'virtual:solidity-packages' {
  import type { SolidityPackage } from '#compiler/packages.ts'

  /** Each as a gzip file of JSON: texts by path. */
  export const PACKAGES: readonly (SolidityPackage & {
    readonly url: string
    /** The file's size, as it is downloaded. */
    readonly bytes: number
  })[]
}
