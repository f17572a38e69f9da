/** For a test only: numbers that the compiler, in TypeScript, has once more. Names are those that it has. */

import { Code } from './code/code.ts'
import { Frame, STACK_BYTES } from './frames/frame.ts'
import { ENVIRONMENT_BYTES } from './state/environment.ts'

export { ENVIRONMENT_BYTES, STACK_BYTES }

export const FRAME_ACCOUNT: usize = offsetof<Frame>('account')
export const FRAME_CALLER: usize = offsetof<Frame>('caller')
export const FRAME_VALUE: usize = offsetof<Frame>('value0')
export const FRAME_PC: usize = offsetof<Frame>('pc')
export const FRAME_SP: usize = offsetof<Frame>('sp')
export const FRAME_STACK: usize = offsetof<Frame>('stack')
export const FRAME_GAS: usize = offsetof<Frame>('gas')
export const FRAME_INPUT: usize = offsetof<Frame>('input')
export const FRAME_INPUT_SIZE: usize = offsetof<Frame>('inputSize')
export const CODE_START: usize = offsetof<Code>('start')
export const CODE_SIZE: usize = offsetof<Code>('size')
export const CODE_MAP: usize = offsetof<Code>('map')
