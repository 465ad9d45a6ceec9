import { Button } from '@mantine/core'
import { useState } from 'react'
import { type Fact, Facts, Panel } from '../../../components/layout/Panel.tsx'
import { useText } from '../../../text/catalogue.ts'
import { useFormat } from '../../../text/format.ts'
import { type Contact, type Field, Value } from '../contact-columns.tsx'
import { contactPageTexts } from './texts.ts'

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** What is known of a contact; fields without a value only when they are asked for. */
export function KnownFields({ contact, fields }: { contact: Contact; fields: readonly Field[] }) {
  const t = useText(contactPageTexts)
  const format = useFormat()
  const [isWhole, setWhole] = useState(false)
  const empty = fields.filter(({ id }) => isEmpty(contact.fields[id]))
  const shown = isWhole ? fields : fields.filter((field) => !empty.includes(field))
  const facts = shown.map(
    (field): Fact => ({
      key: String(field.id),
      label: field.name,
      value: isEmpty(contact.fields[field.id]) ? (
        <small>{t('noValue')}</small>
      ) : (
        <Value contact={contact} field={field} format={format} isWhole />
      ),
    }),
  )
  return (
    <Panel title={t('known')}>
      <Facts facts={facts} />
      {empty.length > 0 && (
        <div>
          <Button variant="subtle" size="compact-sm" px={0} onClick={() => setWhole(!isWhole)}>
            {isWhole ? t('hideEmpty') : t('showEmpty', { count: empty.length })}
          </Button>
        </div>
      )}
    </Panel>
  )
}
