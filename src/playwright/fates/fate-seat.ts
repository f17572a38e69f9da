import type { Play } from '#fates/play.ts'
import { invariant } from '#primitives/invariant.ts'
import type { RpcEndpoint } from '#rpc-types/connection.ts'
import { SwitchedEndpoint } from './switched-endpoint.ts'

/** A chain of a test that one fate after the other is played on. */
export class FateSeat {
  readonly name: string
  /** The node itself. */
  readonly node: RpcEndpoint
  /** The chain as the dapp sees it. */
  readonly dapp: SwitchedEndpoint
  /** The chain as the test sees it. */
  readonly truth: SwitchedEndpoint
  #play: Play | undefined

  constructor(name: string, node: RpcEndpoint) {
    this.name = name
    this.node = node
    this.dapp = new SwitchedEndpoint(node)
    this.truth = new SwitchedEndpoint(node)
  }

  /** Has dapp and test meet another fate from now on. */
  take(play: Play): void {
    this.#play = play
    this.dapp.switchTo(play.endpointOf(this.name))
    this.truth.switchTo(play.truthOf(this.name))
  }

  /** How many requests of the dapp the fate keeps waiting. */
  get held(): number {
    return this.#play?.held ?? 0
  }

  tick(n?: number): ReturnType<Play['tick']> {
    return this.#current().tick(this.name, n)
  }

  async seal(): ReturnType<Play['seal']> {
    return this.#current().seal(this.name)
  }

  #current(): Play {
    invariant(this.#play, 'a fate is being played before the test begins')
    return this.#play
  }
}
