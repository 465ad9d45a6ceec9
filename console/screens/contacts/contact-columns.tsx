import type { paths } from '../../api/operations.d.ts'
import { FormattedNumber } from '../../components/FormattedNumber.tsx'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import type { TableColumn } from '../../components/table/columns.tsx'
import type { Translator } from '../../text/catalogue.ts'
import type { LocaleFormat } from '../../text/format.ts'
import type en from './en.ts'

type Found = paths['/targets/search']['post']['responses'][200]['content']['application/json']
export type ListedApiContact = Found['items'][number]
export type ContactListField = paths['/fields']['get']['responses'][200]['content']['application/json'][number]

/** Fields that are columns before anything is chosen. */
const SHOWN_FIELDS = 3

/** What a contact is called: what it is known by, else its id. */
export function formatContactName(contact: ListedApiContact, fields: readonly ContactListField[]): string {
  const keys = fields.filter(({ isUnicity }) => isUnicity)
  const values = keys.map(({ id }) => contact.fields[id]).filter((value) => value !== null && value !== undefined)
  return values.length === 0 ? contact.id : values.join(' · ')
}

/** Hard ones: nothing is sent to such an address. */
const isHard = ({ type }: NonNullable<ListedApiContact['bounce']>[number]): boolean => type > 4

/** Whether it is written to at all. */
export function ContactStateBadge({ contact, t }: { contact: ListedApiContact; t: Translator<typeof en> }) {
  const isListed = contact.redList?.mail !== undefined || contact.redList?.sms !== undefined
  const isBounced = contact.bounce?.some(isHard) ?? false
  return (
    <span style={{ display: 'inline-flex', gap: 6 }}>
      {isListed && (
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
  return <bdi>{isWhole ? value : value.slice(0, 200)}</bdi>
}

function fieldColumn(field: ContactListField, place: number, format: LocaleFormat): TableColumn<ListedApiContact> {
  const isSortable = field.isCriterion && field.type !== 'multipleSelectList'
  return {
    key: `field-${field.id}`,
    header: field.name,
    cell: (contact) => <ContactFieldValue contact={contact} field={field} format={format} />,
    width: field.type === 'numeric' || field.type === 'date' ? 110 : 150,
    isExtra: place >= SHOWN_FIELDS,
    ...(field.type === 'numeric' && { align: 'end' as const }),
    ...(isSortable && { sort: String(field.id) }),
  }
}

/** Without what the list is not sorted by for somebody whose values are masked: the order would tell them. */
const unsorted = ({ sort: _, ...column }: TableColumn<ListedApiContact>): TableColumn<ListedApiContact> => column

/** The columns of a list of contacts, as somebody sees them whose addresses and numbers are masked. */
export function maskContactColumns(
  columns: readonly TableColumn<ListedApiContact>[],
  fields: readonly ContactListField[],
): TableColumn<ListedApiContact>[] {
  const personal = new Set(
    fields.filter(({ type }) => type === 'email' || type === 'phone').map(({ id }) => String(id)),
  )
  return columns.map((column) => (column.sort !== undefined && personal.has(column.sort) ? unsorted(column) : column))
}

/** The columns of a list of contacts: what they are known by, their state, each field of the account, dates. */
export function buildContactColumns(
  fields: readonly ContactListField[],
  t: Translator<typeof en>,
  format: LocaleFormat,
): TableColumn<ListedApiContact>[] {
  const keys = fields.filter(({ isUnicity }) => isUnicity)
  const [first] = keys
  const others = fields.filter(({ isUnicity }) => !isUnicity)
  return [
    {
      key: 'name',
      header: keys.map(({ name }) => name).join(' · ') || t('title'),
      cell: (contact) => <bdi>{formatContactName(contact, fields)}</bdi>,
      width: 230,
      grow: 2,
      ...(first?.isCriterion && keys.length === 1 && { sort: String(first.id) }),
    },
    { key: 'state', header: t('state'), cell: (contact) => <ContactStateBadge contact={contact} t={t} />, width: 150 },
    ...others.map((field, place) => fieldColumn(field, place, format)),
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
