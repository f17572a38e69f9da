import type { CallerContext } from '../../define-method.ts'

/** What a family of names does; which of them was called decides the answer. */
type Deed<Args extends readonly unknown[]> = (context: CallerContext, ...args: Args) => unknown

/** The handler that does it and then answers `null`, as anvil does. */
export function answeringNull<Args extends readonly unknown[]>(deed: Deed<Args>) {
  return async (context: CallerContext, ...args: Args): Promise<null> => {
    await deed(context, ...args)
    return null
  }
}

/** The handler that does it and then answers `true`, as Hardhat does. */
export function answeringTrue<Args extends readonly unknown[]>(deed: Deed<Args>) {
  return async (context: CallerContext, ...args: Args): Promise<true> => {
    await deed(context, ...args)
    return true
  }
}
