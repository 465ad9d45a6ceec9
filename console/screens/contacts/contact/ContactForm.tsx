import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { apiClient, readVersionedAnswer } from '../../../api/client.ts'
import { useValueLists } from '../../../api/definitions.ts'
import { useHasRight } from '../../../api/me.ts'
import { DateField } from '../../../components/form/DateField.tsx'
import { FormLayout } from '../../../components/form/FormLayout.tsx'
import { ChoiceField, LongTextField, NumberField, TextField } from '../../../components/form/fields.tsx'
import { MultiChoiceField } from '../../../components/form/MultiChoiceField.tsx'
import { type FormState, type StoredDocument, useDocumentForm } from '../../../components/form/use-form.ts'
import { showToast } from '../../../layout/toasts.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { ContactListField, ListedApiContact } from '../contact-columns.tsx'
import { contactPageTexts } from './texts.ts'

/** Values by the ids of their fields, as the interface takes them. */
type FieldValues = ListedApiContact['fields']

interface Props {
  form: FormState<FieldValues>
  field: ContactListField
  isReadOnly: boolean
}

function ValueField({ form, field, isReadOnly }: Props) {
  const t = useTranslator(contactPageTexts)
  const valueLists = useValueLists()
  const helpText = field.isUnicity ? t('keyHelp') : field.isMandatory ? t('mandatoryHelp') : undefined
  const fieldProps = { form, at: `/${field.id}`, label: field.name, isReadOnly, ...(helpText && { help: helpText }) }
  const listLabels = valueLists.data?.find(({ id }) => id === field.valueListId)?.values ?? []
  const choices = listLabels.map(({ value }) => ({ value, label: value }))
  if (field.type === 'textArea') return <LongTextField {...fieldProps} />
  if (field.type === 'numeric') return <NumberField {...fieldProps} />
  if (field.type === 'date') return <DateField {...fieldProps} />
  if (field.type === 'singleSelectList') return <ChoiceField {...fieldProps} choices={choices} isClearable />
  if (field.type === 'multipleSelectList') return <MultiChoiceField {...fieldProps} choices={choices} />
  return <TextField {...fieldProps} type={field.type === 'email' ? 'email' : 'text'} />
}

const extractValues = ({ data, etag }: StoredDocument<ListedApiContact>): StoredDocument<FieldValues> => ({
  data: data.fields,
  etag,
})

/** Form for the fields of a contact: only changed values are sent, for the version that was read. */
export function ContactForm({
  stored: storedContact,
  fields,
}: {
  stored: StoredDocument<ListedApiContact>
  fields: readonly ContactListField[]
}) {
  const t = useTranslator(contactPageTexts)
  const canWrite = useHasRight('write')
  const queryClient = useQueryClient()
  const { id } = storedContact.data
  const readValues = useRef(storedContact.data.fields)
  const path = { path: { id } }
  const form = useDocumentForm<FieldValues>({
    name: `contact.${id}`,
    stored: useMemo(() => extractValues(storedContact), [storedContact]),
    save: async (values, etag) => {
      const changedValues = Object.entries(values).filter(
        ([field, value]) => JSON.stringify(value) !== JSON.stringify(readValues.current[field]),
      )
      const headers = etag === null ? {} : { 'if-match': etag }
      const savedContact = await readVersionedAnswer(apiClient.updateTarget, {
        ...path,
        headers,
        body: Object.fromEntries(changedValues),
      })
      readValues.current = savedContact.data.fields
      queryClient.setQueryData(['contact', id], savedContact)
      return extractValues(savedContact)
    },
    load: async () => extractValues(await readVersionedAnswer(apiClient.getTarget, path)),
    onSaved: () => {
      showToast(t('saved'))
      void queryClient.invalidateQueries({ queryKey: ['contact', id] })
    },
  })
  return (
    <FormLayout
      form={form}
      pointers={fields.map((field) => `/${field.id}`)}
      nameOf={(pointer) => fields.find((field) => `/${field.id}` === pointer)?.name ?? pointer}
    >
      <div style={{ display: 'grid', gap: 16 }}>
        {fields.map((field) => (
          <ValueField key={field.id} form={form} field={field} isReadOnly={!canWrite} />
        ))}
      </div>
    </FormLayout>
  )
}
