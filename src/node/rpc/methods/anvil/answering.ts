import type { CallerContext } from '../../define-method.ts'

/** An action that several methods share; they differ in their answers. */
type Action<Args extends readonly unknown[]> = (context: CallerContext, ...args: Args) => unknown

/** A handler that runs the action and answers `null`, as anvil does. */
export function answeringNull<Args extends readonly unknown[]>(action: Action<Args>) {
  return async (context: CallerContext, ...args: Args): Promise<null> => {
    await action(context, ...args)
    return null
  }
}

/** A handler that runs the action and answers `true`, as Hardhat does. */
export function answeringTrue<Args extends readonly unknown[]>(action: Action<Args>) {
  return async (context: CallerContext, ...args: Args): Promise<true> => {
    await action(context, ...args)
    return true
  }
}
