/** A field of one octet, of text ended by a NUL and at most `max` octets with it, or of octets after their number. */
type FieldDefinition = { kind: 'octet' } | { kind: 'text'; max: number } | { kind: 'octets'; max: number }

const octetField = { kind: 'octet' } as const
const textField = <const Max extends number>(max: Max) => ({ kind: 'text', max }) as const
/** `sm_length` and `short_message` are one field here. */
const octetsField = { kind: 'octets', max: 254 } as const

const bindFields = {
  systemId: textField(16),
  password: textField(9),
  systemType: textField(13),
  interfaceVersion: octetField,
  addrTon: octetField,
  addrNpi: octetField,
  addressRange: textField(41),
}

const addressFields = {
  serviceType: textField(6),
  sourceTon: octetField,
  sourceNpi: octetField,
  source: textField(21),
  destinationTon: octetField,
  destinationNpi: octetField,
  destination: textField(21),
}

const messageFields = {
  ...addressFields,
  esmClass: octetField,
  protocolId: octetField,
  priority: octetField,
  scheduled: textField(17),
  validity: textField(17),
  registeredDelivery: octetField,
  replace: octetField,
  dataCoding: octetField,
  defaultMessage: octetField,
  shortMessage: octetsField,
}

const dataFields = {
  ...addressFields,
  // data_sm has longer addresses than the others (4.7.1).
  source: textField(65),
  destination: textField(65),
  esmClass: octetField,
  registeredDelivery: octetField,
  dataCoding: octetField,
}

/** The operations of SMPP 3.4 (section 4) this gateway says or hears, with their mandatory fields in order. */
export const smppCommands = {
  generic_nack: { id: 0x80000000, fields: {} },
  bind_receiver: { id: 0x00000001, fields: bindFields },
  bind_receiver_resp: { id: 0x80000001, fields: { systemId: textField(16) } },
  bind_transmitter: { id: 0x00000002, fields: bindFields },
  bind_transmitter_resp: { id: 0x80000002, fields: { systemId: textField(16) } },
  submit_sm: { id: 0x00000004, fields: messageFields },
  submit_sm_resp: { id: 0x80000004, fields: { messageId: textField(65) } },
  deliver_sm: { id: 0x00000005, fields: messageFields },
  deliver_sm_resp: { id: 0x80000005, fields: { messageId: textField(65) } },
  unbind: { id: 0x00000006, fields: {} },
  unbind_resp: { id: 0x80000006, fields: {} },
  bind_transceiver: { id: 0x00000009, fields: bindFields },
  bind_transceiver_resp: { id: 0x80000009, fields: { systemId: textField(16) } },
  outbind: { id: 0x0000000b, fields: { systemId: textField(16), password: textField(9) } },
  enquire_link: { id: 0x00000015, fields: {} },
  enquire_link_resp: { id: 0x80000015, fields: {} },
  alert_notification: {
    id: 0x00000102,
    fields: {
      sourceTon: octetField,
      sourceNpi: octetField,
      source: textField(65),
      esmeTon: octetField,
      esmeNpi: octetField,
      esme: textField(65),
    },
  },
  data_sm: { id: 0x00000103, fields: dataFields },
  data_sm_resp: { id: 0x80000103, fields: { messageId: textField(65) } },
} as const satisfies Record<string, { id: number; fields: Record<string, FieldDefinition> }>

export type SmppCommand = keyof typeof smppCommands

/** A command that is answered by `<command>_resp`. */
export type SmppRequest = { [C in SmppCommand]: `${C}_resp` extends SmppCommand ? C : never }[SmppCommand]

type FieldValue<F> = F extends { kind: 'octet' } ? number : F extends { kind: 'text' } ? string : Uint8Array

/** The mandatory fields of a command. Text is latin1, an octet 0 to 255. */
export type SmppFields<C extends SmppCommand> = {
  [Name in keyof (typeof smppCommands)[C]['fields']]: FieldValue<(typeof smppCommands)[C]['fields'][Name]>
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
