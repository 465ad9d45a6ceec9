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
type Values = ListedApiContact['fields']

interface Props {
  form: FormState<Values>
  field: ContactListField
  isReadOnly: boolean
}

function ValueField({ form, field, isReadOnly }: Props) {
  const t = useTranslator(contactPageTexts)
  const lists = useValueLists()
  const help = field.isUnicity ? t('keyHelp') : field.isMandatory ? t('mandatoryHelp') : undefined
  const common = { form, at: `/${field.id}`, label: field.name, isReadOnly, ...(help && { help }) }
  const labels = lists.data?.find(({ id }) => id === field.valueListId)?.values ?? []
  const choices = labels.map(({ value }) => ({ value, label: value }))
  if (field.type === 'textArea') return <LongTextField {...common} />
  if (field.type === 'numeric') return <NumberField {...common} />
  if (field.type === 'date') return <DateField {...common} />
  if (field.type === 'singleSelectList') return <ChoiceField {...common} choices={choices} isClearable />
  if (field.type === 'multipleSelectList') return <MultiChoiceField {...common} choices={choices} />
  return <TextField {...common} type={field.type === 'email' ? 'email' : 'text'} />
}

const valuesOf = ({ data, etag }: StoredDocument<ListedApiContact>): StoredDocument<Values> => ({
  data: data.fields,
  etag,
})

/** What is known of a contact, to be changed: only what was changed is sent, over the version that was read. */
export function ContactForm({
  stored,
  fields,
}: {
  stored: StoredDocument<ListedApiContact>
  fields: readonly ContactListField[]
}) {
  const t = useTranslator(contactPageTexts)
  const mayWrite = useHasRight('write')
  const queries = useQueryClient()
  const { id } = stored.data
  const read = useRef(stored.data.fields)
  const path = { params: { path: { id } } }
  const form = useDocumentForm<Values>({
    name: `contact.${id}`,
    stored: useMemo(() => valuesOf(stored), [stored]),
    save: async (values, etag) => {
      const changed = Object.entries(values).filter(
        ([field, value]) => JSON.stringify(value) !== JSON.stringify(read.current[field]),
      )
      const headers = etag === null ? {} : { 'if-match': etag }
      const next = await readVersionedAnswer(
        apiClient.PUT('/targets/{id}', { ...path, headers, body: Object.fromEntries(changed) }),
      )
      read.current = next.data.fields
      queries.setQueryData(['contact', id], next)
      return valuesOf(next)
    },
    load: async () => valuesOf(await readVersionedAnswer(apiClient.GET('/targets/{id}', path))),
    onSaved: () => {
      showToast(t('saved'))
      void queries.invalidateQueries({ queryKey: ['contact', id] })
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
          <ValueField key={field.id} form={form} field={field} isReadOnly={!mayWrite} />
        ))}
      </div>
    </FormLayout>
  )
}
