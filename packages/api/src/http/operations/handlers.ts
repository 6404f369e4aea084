import type { Input, Item, ListOperation, Operation, Operations, Output } from '@muster/contract'

import type { Caller } from '#domain/engine/caller'
import type { Listing } from '#domain/engine/listing'
import type { LookupCells } from '#domain/engine/lookups'

/** Translates a validated request into a call of the domain, and returns the result. */
type Handler<O extends Operation> = (
  caller: Caller<O['scope']>,
  input: Input<O> & { readonly lookups?: LookupCells },
) => O extends ListOperation ? Listing<Item<O>> : Promise<Output<O>>

/** One handler for every operation of the contract: a missing one does not compile. */
export type Handlers = {
  readonly [Noun in keyof Operations]: {
    readonly [Verb in keyof Operations[Noun]]: Operations[Noun][Verb] extends Operation
      ? Handler<Operations[Noun][Verb]>
      : never
  }
}

/** The type of all handlers, for the loop that registers them. */
export type AnyHandler = (caller: Caller<never>, input: object) => Listing<object> | Promise<object>
