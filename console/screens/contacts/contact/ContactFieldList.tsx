import { Button } from '@mantine/core'
import { useState } from 'react'
import { FactList, type LabelledFact, PagePanel } from '../../../components/layout/PagePanel.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { useLocaleFormat } from '../../../text/format.ts'
import { ContactFieldValue, type ContactListField, type ListedApiContact } from '../contact-columns.tsx'
import { contactPageTexts } from './texts.ts'

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** What is known of a contact; fields without a value only when they are asked for. */
export function ContactFieldList({
  contact,
  fields,
}: {
  contact: ListedApiContact
  fields: readonly ContactListField[]
}) {
  const t = useTranslator(contactPageTexts)
  const format = useLocaleFormat()
  const [isWhole, setWhole] = useState(false)
  const empty = fields.filter(({ id }) => isEmpty(contact.fields[id]))
  const shown = isWhole ? fields : fields.filter((field) => !empty.includes(field))
  const facts = shown.map(
    (field): LabelledFact => ({
      key: String(field.id),
      label: field.name,
      value: isEmpty(contact.fields[field.id]) ? (
        <small>{t('noValue')}</small>
      ) : (
        <ContactFieldValue contact={contact} field={field} format={format} isWhole />
      ),
    }),
  )
  return (
    <PagePanel title={t('known')}>
      <FactList facts={facts} />
      {empty.length > 0 && (
        <div>
          <Button variant="subtle" size="compact-sm" px={0} onClick={() => setWhole(!isWhole)}>
            {isWhole ? t('hideEmpty') : t('showEmpty', { count: empty.length })}
          </Button>
        </div>
      )}
    </PagePanel>
  )
}
