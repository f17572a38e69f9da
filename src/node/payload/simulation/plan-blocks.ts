import type { Header } from '../block.ts'
import { type SimulatedBlockPlan, SimulationError } from './simulation.ts'

/** Most blocks per simulation, including those that fill gaps; as in geth. */
const MAX_BLOCKS = 256
const MAX_CALLS_PER_BLOCK = 5_000
const MAX_CALLS = 10_000

/** A block with its number and time. */
export interface PlannedBlock extends SimulatedBlockPlan {
  readonly number: number
  /** Seconds since the Unix epoch. */
  readonly timestamp: number
}

/**
 * Assigns numbers and times to the blocks, with empty blocks in the gaps between numbers.
 *
 * @param blockSeconds - Seconds to the next block if it has no timestamp.
 * @throws {SimulationError} If there are none or too many, or they are out of order.
 */
export function planBlocks(
  base: Pick<Header, 'number' | 'timestamp'>,
  plans: readonly SimulatedBlockPlan[],
  blockSeconds: number,
): readonly PlannedBlock[] {
  checkSize(plans)
  const planned: PlannedBlock[] = []
  let { number, timestamp } = base
  for (const plan of plans) {
    const wanted = plan.block.number ?? number + 1
    if (wanted <= number) {
      throw new SimulationError('block-number', `block numbers must be in order: ${wanted} <= ${number}`)
    }
    if (wanted - base.number > MAX_BLOCKS) throw new SimulationError('limit-exceeded', 'too many blocks')
    while (number + 1 < wanted) {
      number++
      timestamp += blockSeconds
      planned.push({ ...EMPTY_PLAN, number, timestamp })
    }
    const time = plan.block.timestamp ?? timestamp + blockSeconds
    if (time <= timestamp) {
      throw new SimulationError('block-timestamp', `block timestamps must be in order: ${time} <= ${timestamp}`)
    }
    number = wanted
    timestamp = time
    planned.push({ ...plan, number, timestamp })
  }
  return planned
}

const EMPTY_PLAN: SimulatedBlockPlan = {
  block: {
    number: undefined,
    timestamp: undefined,
    gasLimit: undefined,
    coinbase: undefined,
    prevRandao: undefined,
    baseFee: undefined,
    blobBaseFee: undefined,
    beaconRoot: undefined,
  },
  state: new Map(),
  calls: [],
}

function checkSize(plans: readonly SimulatedBlockPlan[]): void {
  if (plans.length === 0) throw new SimulationError('invalid-params', 'empty input')
  if (plans.length > MAX_BLOCKS) throw new SimulationError('limit-exceeded', 'too many blocks')
  let calls = 0
  for (const { length } of plans.map((plan) => plan.calls)) {
    if (length > MAX_CALLS_PER_BLOCK) {
      throw new SimulationError('limit-exceeded', `too many calls in block: ${length} > ${MAX_CALLS_PER_BLOCK}`)
    }
    calls += length
    if (calls > MAX_CALLS) throw new SimulationError('limit-exceeded', `too many calls: ${calls} > ${MAX_CALLS}`)
  }
}
