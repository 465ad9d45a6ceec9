/** The state of a destination in one gateway. */
export interface DestinationState {
  destination: string
  state: 'open' | 'slow' | 'suspended'
  /** Messages a second, and connections, that are used at most now. */
  rate: number
  connections: number
  /** Milliseconds since 1970; null unless it is suspended. */
  suspendedUntil: number | null
  /** Its last refusal, without addresses; null: none. */
  lastRefusal: string | null
  lastRefusalAt: number | null
}

/** Limits of destinations that come from the other senders and the operators. */
export interface ShapingOrders {
  /** Number of senders that share the limits, including this one. */
  senders: number
  /** Returns true if an operator has put messages of an account to a destination on hold. */
  isHeld(account: number, destination: string): boolean
  /** Destinations that another sender found to be closed, and until when (milliseconds since 1970). */
  suspended: ReadonlyMap<string, number>
}

/** Why nothing may be sent to a destination now. */
export interface ClosedDestination {
  reason: string
  retryAfterMs: number
}

/** Traffic shaping by destination: its state, and its control. */
export interface TrafficShaping {
  /** Every destination that was used recently. */
  states(): DestinationState[]
  applyOrders(orders: ShapingOrders): void
  /** Why a message of an account would be returned at once; undefined: it may be sent. */
  closed(account: number, destination: string): ClosedDestination | undefined
}
