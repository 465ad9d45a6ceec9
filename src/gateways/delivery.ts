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
   * Which of the message's deliveries this is: the same number for the same device, however often the message is made.
   * Absent: 0, as of all that has one delivery.
   */
  sequence?: number
  /** Absent: the gateway of the account and channel. */
  gateway?: NamedGatewayKey
}

/** Names a delivery: the message alone for its delivery 0. */
export type DeliveryKey = number | { id: number; sequence: number }

/** What names this delivery. */
export function getDeliveryKey({ id, sequence = 0 }: Pick<MessageDelivery, 'id' | 'sequence'>): DeliveryKey {
  return sequence === 0 ? id : { id, sequence }
}
