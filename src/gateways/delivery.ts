/** A gateway of its own that a message goes through: of a kind, with the settings that are known under a key. */
export interface NamedGatewayKey {
  kind: string
  key: string
}

/** One delivery of a message to one address or device. */
export interface MessageDelivery {
  /** The message row. */
  id: number
  /**
   * Number of the delivery within the message: the same for the same device, however often the message is built. Absent: 0, for messages
   * with a single delivery.
   */
  sequence?: number
  /** Absent: the gateway of the account and channel. */
  gateway?: NamedGatewayKey
}

/** Names a delivery: the message alone for its delivery 0. */
export type DeliveryKey = number | { id: number; sequence: number }

/** Returns the key that identifies this delivery. */
export function getDeliveryKey({ id, sequence = 0 }: Pick<MessageDelivery, 'id' | 'sequence'>): DeliveryKey {
  return sequence === 0 ? id : { id, sequence }
}
