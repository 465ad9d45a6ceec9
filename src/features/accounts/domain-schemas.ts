import { type Static, Type } from 'typebox'
import { nullableSchema } from './sending-settings-schemas.ts'

const Instant = Type.String({ format: 'date-time' })
const NullableInstant = nullableSchema({ ...Instant, description: 'when it was checked last, in UTC; null: never' })

const DkimKey = Type.Object({
  selector: Type.String({ description: 'the selector of DKIM' }),
  algorithm: Type.Enum(['rsa-sha256', 'ed25519-sha256'], { description: 'what it signs with' }),
  state: Type.Enum(['waiting', 'signing', 'retired'], {
    description: 'waiting: it signs once its record is found; retired: another one signs',
  }),
  removableDate: nullableSchema(
    Type.String({ format: 'date-time', description: 'of a retired one: from then on its record is not needed' }),
  ),
})

const DnsRecord = Type.Object({
  purpose: Type.Enum(['SPF', 'DKIM', 'DMARC', 'MX', 'tracking'], {
    description: 'MX: of the return path, where bounces come in; tracking: the host that links lead to',
  }),
  type: Type.Enum(['TXT', 'MX', 'CNAME', 'A'], { description: 'which of the possible kinds it is' }),
  name: Type.String({ description: 'without a final dot' }),
  value: nullableSchema(
    Type.String({ description: 'what to publish; null: the addresses of this service, which it does not know itself' }),
  ),
  line: nullableSchema(Type.String({ description: 'the same as a line of a master file (RFC 1035)' })),
  state: Type.Enum(['found', 'missing', 'unchecked'], {
    description: 'missing: there is none, or what is there is not sufficient',
  }),
  found: Type.Array(Type.String(), { description: 'what was published there at the last check' }),
  checkedDate: NullableInstant,
  key: nullableSchema({ ...DkimKey, description: 'the key of DKIM; null: it is of none' }),
})

const domainProperties = {
  name: Type.String({ description: 'A-labels, in lower case' }),
  default: Type.Boolean({ description: 'mail that names no domain is sent from it' }),
  verified: Type.Boolean({ description: 'the records of the keys that sign were found by the last check' }),
  verifiedDate: { ...NullableInstant, description: 'since when it is verified, in UTC; null: it is not' },
  checkedDate: NullableInstant,
  creationDate: { ...Instant, description: 'when it was made, in UTC' },
}

/** A domain that an account sends from. */
export const ListedSendingDomain = Type.Object(domainProperties)
export type ListedSendingDomain = Static<typeof ListedSendingDomain>

/** The same with what is to be published. */
export const SendingDomain = Type.Object({
  ...domainProperties,
  records: Type.Array(DnsRecord, { description: 'what is to be published' }),
})
export type SendingDomain = Static<typeof SendingDomain>
export type DnsRecordResource = Static<typeof DnsRecord>

export const SendingDomainBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 253, description: 'the name that people give it' }),
  default: Type.Optional(
    Type.Boolean({ description: 'true: in the place of the present one; the first one always is' }),
  ),
})
