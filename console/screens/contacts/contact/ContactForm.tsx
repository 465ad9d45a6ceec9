import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { apiClient, readVersionedAnswer } from '../../../api/client.ts'
import { useHasRight } from '../../../api/me.ts'
import { FormLayout } from '../../../components/form/FormLayout.tsx'
import { type StoredDocument, useDocumentForm } from '../../../components/form/use-form.ts'
import { showToast } from '../../../layout/toasts.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { ContactListField, ListedApiContact } from '../contact-columns.tsx'
import { ContactValueField, type FieldValues } from './ContactValueField.tsx'
import { contactPageTexts } from './texts.ts'

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
          <ContactValueField key={field.id} form={form} field={field} isReadOnly={!canWrite} />
        ))}
      </div>
    </FormLayout>
  )
}
