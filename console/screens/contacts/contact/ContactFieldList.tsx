import { Button } from '@mantine/core'
import { useState } from 'react'
import { FactList, type LabelledFact, PagePanel } from '../../../components/layout/PagePanel.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { useLocaleFormat } from '../../../text/format.ts'
import { ContactFieldValue, type ContactListField, type ListedApiContact } from '../contact-columns.tsx'
import { contactPageTexts } from './texts.ts'

const isBlank = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/** Fields of a contact; those without a value only on request. */
export function ContactFieldList({
  contact,
  fields,
}: {
  contact: ListedApiContact
  fields: readonly ContactListField[]
}) {
  const t = useTranslator(contactPageTexts)
  const format = useLocaleFormat()
  const [showsAll, setShowsAll] = useState(false)
  const emptyFields = fields.filter(({ id }) => isBlank(contact.fields[id]))
  const shownFields = showsAll ? fields : fields.filter((field) => !emptyFields.includes(field))
  const fieldDetails = shownFields.map(
    (field): LabelledFact => ({
      key: String(field.id),
      label: field.name,
      value: isBlank(contact.fields[field.id]) ? (
        <small>{t('noValue')}</small>
      ) : (
        <ContactFieldValue contact={contact} field={field} format={format} isWhole />
      ),
    }),
  )
  return (
    <PagePanel title={t('known')}>
      <FactList facts={fieldDetails} />
      {emptyFields.length > 0 && (
        <div>
          <Button variant="subtle" size="compact-sm" px={0} onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? t('hideEmpty') : t('showEmpty', { count: emptyFields.length })}
          </Button>
        </div>
      )}
    </PagePanel>
  )
}
