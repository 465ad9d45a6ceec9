/** A field of one octet, of text ended by a NUL and at most `max` octets with it, or of octets after their number. */
type Field = { kind: 'octet' } | { kind: 'text'; max: number } | { kind: 'octets'; max: number }

const octet = { kind: 'octet' } as const
const text = <const Max extends number>(max: Max) => ({ kind: 'text', max }) as const
/** `sm_length` and `short_message` are one field here. */
const shortMessage = { kind: 'octets', max: 254 } as const

const bind = {
  systemId: text(16),
  password: text(9),
  systemType: text(13),
  interfaceVersion: octet,
  addrTon: octet,
  addrNpi: octet,
  addressRange: text(41),
}

const addresses = {
  serviceType: text(6),
  sourceTon: octet,
  sourceNpi: octet,
  source: text(21),
  destinationTon: octet,
  destinationNpi: octet,
  destination: text(21),
}

const message = {
  ...addresses,
  esmClass: octet,
  protocolId: octet,
  priority: octet,
  scheduled: text(17),
  validity: text(17),
  registeredDelivery: octet,
  replace: octet,
  dataCoding: octet,
  defaultMessage: octet,
  shortMessage,
}

const data = {
  ...addresses,
  // data_sm has longer addresses than the others (4.7.1).
  source: text(65),
  destination: text(65),
  esmClass: octet,
  registeredDelivery: octet,
  dataCoding: octet,
}

/** The operations of SMPP 3.4 (section 4) this gateway says or hears, with their mandatory fields in order. */
export const smppCommands = {
  generic_nack: { id: 0x80000000, fields: {} },
  bind_receiver: { id: 0x00000001, fields: bind },
  bind_receiver_resp: { id: 0x80000001, fields: { systemId: text(16) } },
  bind_transmitter: { id: 0x00000002, fields: bind },
  bind_transmitter_resp: { id: 0x80000002, fields: { systemId: text(16) } },
  submit_sm: { id: 0x00000004, fields: message },
  submit_sm_resp: { id: 0x80000004, fields: { messageId: text(65) } },
  deliver_sm: { id: 0x00000005, fields: message },
  deliver_sm_resp: { id: 0x80000005, fields: { messageId: text(65) } },
  unbind: { id: 0x00000006, fields: {} },
  unbind_resp: { id: 0x80000006, fields: {} },
  bind_transceiver: { id: 0x00000009, fields: bind },
  bind_transceiver_resp: { id: 0x80000009, fields: { systemId: text(16) } },
  outbind: { id: 0x0000000b, fields: { systemId: text(16), password: text(9) } },
  enquire_link: { id: 0x00000015, fields: {} },
  enquire_link_resp: { id: 0x80000015, fields: {} },
  alert_notification: {
    id: 0x00000102,
    fields: { sourceTon: octet, sourceNpi: octet, source: text(65), esmeTon: octet, esmeNpi: octet, esme: text(65) },
  },
  data_sm: { id: 0x00000103, fields: data },
  data_sm_resp: { id: 0x80000103, fields: { messageId: text(65) } },
} as const satisfies Record<string, { id: number; fields: Record<string, Field> }>

export type SmppCommand = keyof typeof smppCommands

/** A command that is answered by `<command>_resp`. */
export type SmppRequest = { [C in SmppCommand]: `${C}_resp` extends SmppCommand ? C : never }[SmppCommand]

type ValueOf<F> = F extends { kind: 'octet' } ? number : F extends { kind: 'text' } ? string : Uint8Array

/** The mandatory fields of a command. Text is latin1, an octet 0 to 255. */
export type SmppFields<C extends SmppCommand> = {
  [Name in keyof (typeof smppCommands)[C]['fields']]: ValueOf<(typeof smppCommands)[C]['fields'][Name]>
}

/** Optional parameters (5.3) this gateway says or reads. */
export const smppTags = {
  additionalStatusText: 0x001d,
  receiptedMessageId: 0x001e,
  sarReference: 0x020c,
  sarTotal: 0x020e,
  sarNumber: 0x020f,
  networkErrorCode: 0x0423,
  messagePayload: 0x0424,
  messageState: 0x0427,
} as const

export type SmppTlvs = ReadonlyMap<number, Uint8Array>
