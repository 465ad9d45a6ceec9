import { type Static, Type } from 'typebox'
import { nullableSchema } from './sending-settings-schemas.ts'

const Instant = Type.String({ format: 'date-time' })
const NullableInstant = nullableSchema({
  ...Instant,
  description: 'Time of the last check, in UTC. Null: never checked.',
})

const DkimKey = Type.Object({
  selector: Type.String({ description: 'DKIM selector of the key.' }),
  algorithm: Type.Enum(['rsa-sha256', 'ed25519-sha256'], { description: 'Signature algorithm of the key.' }),
  state: Type.Enum(['waiting', 'signing', 'retired'], {
    description:
      '`waiting`: signs as soon as its record is found. `signing`: signs the email of the domain. `retired`: ' +
      'replaced by another key.',
  }),
  removableDate: nullableSchema(
    Type.String({
      format: 'date-time',
      description: 'Time from which the record of a retired key may be removed, in UTC. Null: not retired.',
    }),
  ),
})

const DnsRecord = Type.Object({
  purpose: Type.Enum(['SPF', 'DKIM', 'DMARC', 'MX', 'tracking'], {
    description: 'Purpose of the record. `MX`: return path, for bounces. `tracking`: host of the tracked links.',
  }),
  type: Type.Enum(['TXT', 'MX', 'CNAME', 'A'], { description: 'Type of the DNS record.' }),
  name: Type.String({ description: 'Name of the record, without a final dot.' }),
  value: nullableSchema(
    Type.String({ description: 'Value to publish. Null: the addresses of this service, which it does not know.' }),
  ),
  line: nullableSchema(
    Type.String({ description: 'The record as a line of a zone file (RFC 1035). Null: the value is not known.' }),
  ),
  state: Type.Enum(['found', 'missing', 'unchecked'], {
    description: '`found`: published. `missing`: absent, or its value is not sufficient. `unchecked`: not checked yet.',
  }),
  found: Type.Array(Type.String(), { description: 'Values published under this name at the last check.' }),
  checkedDate: NullableInstant,
  key: nullableSchema({ ...DkimKey, description: 'DKIM key of the record. Null: the record is not a DKIM record.' }),
})

const domainProperties = {
  name: Type.String({ description: 'Domain name in lower case, with internationalised labels as A-labels.' }),
  default: Type.Boolean({ description: 'True: email without a sender domain is sent from this domain.' }),
  verified: Type.Boolean({ description: 'True: the last check found the records of all signing keys.' }),
  verifiedDate: {
    ...NullableInstant,
    description: 'Time since which the domain is verified, in UTC. Null: not verified.',
  },
  checkedDate: NullableInstant,
  creationDate: { ...Instant, description: 'Time of creation, in UTC.' },
}

/** A domain that an account sends from. */
export const ListedSendingDomain = Type.Object(domainProperties)
export type ListedSendingDomain = Static<typeof ListedSendingDomain>

/** The same with what is to be published. */
export const SendingDomain = Type.Object({
  ...domainProperties,
  records: Type.Array(DnsRecord, { description: 'DNS records to publish.' }),
})
export type SendingDomain = Static<typeof SendingDomain>
export type DnsRecordResource = Static<typeof DnsRecord>

export const SendingDomainBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 253, description: 'Domain name, such as `mail.shop.example`.' }),
  default: Type.Optional(
    Type.Boolean({
      description:
        'True: becomes the default domain of the account. Default: false; the first domain is always the default.',
    }),
  ),
})
