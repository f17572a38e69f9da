/** JSON Schema of draft 7. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** A parameter or a result. */
export interface OpenRpcContent {
  readonly name: string
  /** Only for parameters. */
  readonly required?: boolean
  readonly schema: JsonSchema
}

/** A method, with its parameters in their order. */
export interface OpenRpcMethod {
  readonly name: string
  readonly summary: string
  readonly description?: string
  /** Always `by-position`. */
  readonly paramStructure: string
  readonly params: readonly OpenRpcContent[]
  readonly result: OpenRpcContent
}

/** A kind of subscription: the parameters that follow the kind, and what one notification carries. */
export interface OpenRpcSubscription {
  readonly name: string
  readonly summary: string
  readonly description?: string
  readonly params: readonly OpenRpcContent[]
  readonly payload: OpenRpcContent
}

/**
 * The document of all methods, made from its types.
 *
 * @see {@link https://spec.open-rpc.org | OpenRPC}
 */
export interface OpenRpcDocument {
  readonly openrpc: string
  readonly info: {
    readonly title: string
    readonly version: string
    readonly description: string
    readonly license: { readonly name: string }
  }
  readonly methods: readonly OpenRpcMethod[]
  readonly 'x-subscriptions': readonly OpenRpcSubscription[]
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}
