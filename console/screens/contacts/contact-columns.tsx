import type { ApiAnswer } from '../../api/shapes.ts'
import { FormattedNumber } from '../../components/FormattedNumber.tsx'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import type { TableColumn } from '../../components/table/columns.tsx'
import type { Translator } from '../../text/catalogue.ts'
import type { LocaleFormat } from '../../text/format.ts'
import { toUnicodeDomain } from '../../text/unicode-domain.ts'
import type en from './en.ts'
import { findPersonNameFields, formatPersonName } from './person-name.ts'

export type ListedApiContact = ApiAnswer<'searchTargets'>['items'][number]
export type ContactListField = ApiAnswer<'listFields'>[number]

/** Fields that are columns before anything is chosen. */
const DEFAULT_FIELD_COLUMNS = 3

/** Display name of a contact: its key field, otherwise its id. */
export function formatContactName(contact: ListedApiContact, fields: readonly ContactListField[]): string {
  const keyFields = fields.filter(({ isUnicity }) => isUnicity)
  const values = keyFields.map(({ id }) => contact.fields[id]).filter((value) => value !== null && value !== undefined)
  return values.length === 0 ? contact.id : values.join(' · ')
}

/** Title of a contact: the name of the person, otherwise its key field as people read it. */
export function formatContactTitle(contact: ListedApiContact, fields: readonly ContactListField[]): string {
  return (
    formatPersonName(contact.fields, findPersonNameFields(fields)) ??
    toUnicodeDomain(formatContactName(contact, fields))
  )
}

/** Hard ones: nothing is sent to such an address. */
const isHardBounce = ({ type }: NonNullable<ListedApiContact['bounce']>[number]): boolean => type > 4

/** Badge that shows if a contact is blocked from receiving messages. */
export function ContactStateBadge({ contact, t }: { contact: ListedApiContact; t: Translator<typeof en> }) {
  const isOnRedList = contact.redList?.mail !== undefined || contact.redList?.sms !== undefined
  const isBounced = contact.bounce?.some(isHardBounce) ?? false
  return (
    <span style={{ display: 'inline-flex', gap: 6 }}>
      {isOnRedList && (
        <StateBadge tone="warning" hint={t('unsubscribedHint')}>
          {t('unsubscribed')}
        </StateBadge>
      )}
      {isBounced && (
        <StateBadge tone="bad" hint={t('bouncedHint')}>
          {t('bounced')}
        </StateBadge>
      )}
    </span>
  )
}

interface ValueProps {
  contact: ListedApiContact
  field: ContactListField
  format: LocaleFormat
  /** Not cut, as in the line of a table. */
  isWhole?: boolean
}

/** A value as text, never as what it may look like. */
export function ContactFieldValue({ contact, field, format, isWhole = false }: ValueProps) {
  const value = contact.fields[field.id]
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'number') return <FormattedNumber value={value} />
  if (Array.isArray(value)) return <>{format.list(value)}</>
  if (field.type === 'date') return <>{format.calendarDate(value)}</>
  const text = field.type === 'email' ? toUnicodeDomain(value) : value
  return <bdi>{isWhole ? text : text.slice(0, 200)}</bdi>
}

function createFieldColumn(
  field: ContactListField,
  place: number,
  format: LocaleFormat,
): TableColumn<ListedApiContact> {
  const isSortable = field.isCriterion && field.type !== 'multipleSelectList'
  return {
    key: `field-${field.id}`,
    header: field.name,
    cell: (contact) => <ContactFieldValue contact={contact} field={field} format={format} />,
    width: field.type === 'numeric' || field.type === 'date' ? 110 : 150,
    isExtra: place >= DEFAULT_FIELD_COLUMNS,
    ...(field.type === 'numeric' && { align: 'end' as const }),
    ...(isSortable && { sort: String(field.id) }),
  }
}

/** Without what the list is not sorted by for somebody whose values are masked: the order would tell them. */
const withoutSort = ({ sort: _, ...column }: TableColumn<ListedApiContact>): TableColumn<ListedApiContact> => column

/** The columns of a list of contacts, as somebody sees them whose addresses and numbers are masked. */
export function maskContactColumns(
  columns: readonly TableColumn<ListedApiContact>[],
  fields: readonly ContactListField[],
): TableColumn<ListedApiContact>[] {
  const personalFields = new Set(
    fields.filter(({ type }) => type === 'email' || type === 'phone').map(({ id }) => String(id)),
  )
  return columns.map((column) =>
    column.sort !== undefined && personalFields.has(column.sort) ? withoutSort(column) : column,
  )
}

/** The columns of a list of contacts: what they are known by, their state, each field of the account, dates. */
export function buildContactColumns(
  fields: readonly ContactListField[],
  t: Translator<typeof en>,
  format: LocaleFormat,
): TableColumn<ListedApiContact>[] {
  const keyFields = fields.filter(({ isUnicity }) => isUnicity)
  const [firstKey] = keyFields
  const nameFields = findPersonNameFields(fields)
  const otherFields = fields.filter((field) => !(field.isUnicity || nameFields.includes(field)))
  const personColumn: TableColumn<ListedApiContact> = {
    key: 'person',
    header: t('person'),
    cell: (contact) => <bdi>{formatContactTitle(contact, fields)}</bdi>,
    width: 180,
    grow: 1,
  }
  return [
    ...(nameFields.length > 0 ? [personColumn] : []),
    {
      key: 'name',
      header: keyFields.map(({ name }) => name).join(' · ') || t('title'),
      // Without a name, the first column shows it.
      cell: (contact) =>
        nameFields.length > 0 && formatPersonName(contact.fields, nameFields) === undefined ? null : (
          <bdi>{toUnicodeDomain(formatContactName(contact, fields))}</bdi>
        ),
      width: 230,
      grow: 2,
      ...(firstKey?.isCriterion && keyFields.length === 1 && { sort: String(firstKey.id) }),
    },
    { key: 'state', header: t('state'), cell: (contact) => <ContactStateBadge contact={contact} t={t} />, width: 132 },
    ...otherFields.map((field, place) => createFieldColumn(field, place, format)),
    ...nameFields.map((field) => createFieldColumn(field, DEFAULT_FIELD_COLUMNS, format)),
    {
      key: 'updated',
      header: t('updated'),
      cell: ({ lastUpdateDate }) => <FormattedTime at={lastUpdateDate} />,
      width: 130,
      sort: 'lastUpdateDate',
    },
    {
      key: 'created',
      header: t('created'),
      cell: ({ creationDate }) => <FormattedTime at={creationDate} as="date" />,
      width: 120,
      sort: 'creationDate',
      isExtra: true,
    },
  ]
}
