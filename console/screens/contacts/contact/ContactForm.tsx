import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { api, versioned } from '../../../api/client.ts'
import { useValueLists } from '../../../api/definitions.ts'
import { useMay } from '../../../api/me.ts'
import { DateField } from '../../../components/form/DateField.tsx'
import { FormFrame } from '../../../components/form/FormFrame.tsx'
import { ChoiceField, LongTextField, NumberField, TextField } from '../../../components/form/fields.tsx'
import { ManyField } from '../../../components/form/ManyField.tsx'
import { type Form, type Stored, useForm } from '../../../components/form/use-form.ts'
import { tell } from '../../../layout/toasts.tsx'
import { useText } from '../../../text/catalogue.ts'
import type { Contact, Field } from '../contact-columns.tsx'
import { contactPageTexts } from './texts.ts'

/** Values by the ids of their fields, as the interface takes them. */
type Values = Contact['fields']

interface Props {
  form: Form<Values>
  field: Field
  isReadOnly: boolean
}

function ValueField({ form, field, isReadOnly }: Props) {
  const t = useText(contactPageTexts)
  const lists = useValueLists()
  const help = field.isUnicity ? t('keyHelp') : field.isMandatory ? t('mandatoryHelp') : undefined
  const common = { form, at: `/${field.id}`, label: field.name, isReadOnly, ...(help && { help }) }
  const labels = lists.data?.find(({ id }) => id === field.valueListId)?.values ?? []
  const choices = labels.map(({ value }) => ({ value, label: value }))
  if (field.type === 'textArea') return <LongTextField {...common} />
  if (field.type === 'numeric') return <NumberField {...common} />
  if (field.type === 'date') return <DateField {...common} />
  if (field.type === 'singleSelectList') return <ChoiceField {...common} choices={choices} isClearable />
  if (field.type === 'multipleSelectList') return <ManyField {...common} choices={choices} />
  return <TextField {...common} type={field.type === 'email' ? 'email' : 'text'} />
}

const valuesOf = ({ data, etag }: Stored<Contact>): Stored<Values> => ({ data: data.fields, etag })

/** What is known of a contact, to be changed: only what was changed is sent, over the version that was read. */
export function ContactForm({ stored, fields }: { stored: Stored<Contact>; fields: readonly Field[] }) {
  const t = useText(contactPageTexts)
  const mayWrite = useMay('write')
  const queries = useQueryClient()
  const { id } = stored.data
  const read = useRef(stored.data.fields)
  const path = { params: { path: { id } } }
  const form = useForm<Values>({
    name: `contact.${id}`,
    stored: useMemo(() => valuesOf(stored), [stored]),
    save: async (values, etag) => {
      const changed = Object.entries(values).filter(
        ([field, value]) => JSON.stringify(value) !== JSON.stringify(read.current[field]),
      )
      const headers = etag === null ? {} : { 'if-match': etag }
      const next = await versioned(api.PUT('/targets/{id}', { ...path, headers, body: Object.fromEntries(changed) }))
      read.current = next.data.fields
      queries.setQueryData(['contact', id], next)
      return valuesOf(next)
    },
    load: async () => valuesOf(await versioned(api.GET('/targets/{id}', path))),
    onSaved: () => {
      tell(t('saved'))
      void queries.invalidateQueries({ queryKey: ['contact', id] })
    },
  })
  return (
    <FormFrame
      form={form}
      pointers={fields.map((field) => `/${field.id}`)}
      nameOf={(pointer) => fields.find((field) => `/${field.id}` === pointer)?.name ?? pointer}
    >
      <div style={{ display: 'grid', gap: 16 }}>
        {fields.map((field) => (
          <ValueField key={field.id} form={form} field={field} isReadOnly={!mayWrite} />
        ))}
      </div>
    </FormFrame>
  )
}
