import { Alert, Anchor, Button, Group, Modal } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { apiClient } from '../../api/client.ts'
import { ApiRefusal } from '../../api/refusal.ts'
import { setPointerValue } from '../../components/form/pointers.ts'
import type { FormBinding } from '../../components/form/use-form.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useAsyncAction } from '../../components/use-act.ts'
import { showToast } from '../../layout/toasts.tsx'
import { objectPaths } from '../../paths.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { ContactValueField, type FieldValues } from './contact/ContactValueField.tsx'
import { type ContactListField, formatContactName, type ListedApiContact } from './contact-columns.tsx'
import { findPersonNameFields } from './person-name.ts'
import { contactTexts } from './texts.ts'

const SEARCH_DELAY_MS = 250
const MIN_QUERY_LENGTH = 3

/** Fields as they are asked for: what identifies the contact, addresses and numbers, the name, the rest. */
function sortAskedFields(fields: readonly ContactListField[]): ContactListField[] {
  const nameFields = findPersonNameFields(fields)
  const rank = (field: ContactListField): number => {
    if (field.isUnicity) return 0
    if (field.type === 'email' || field.type === 'phone') return field.type === 'email' ? 1 : 2
    return nameFields.includes(field) ? 3 : 4
  }
  return fields.toSorted((a, b) => rank(a) - rank(b))
}

/** The contact that has the values of all key fields; undefined while there is none. */
function useExistingContact(values: FieldValues, fields: readonly ContactListField[]): ListedApiContact | undefined {
  const keyValues = fields.filter(({ isUnicity }) => isUnicity).map(({ id }) => String(values[id] ?? '').trim())
  const [query] = useDebouncedValue(
    keyValues.every((value) => value !== '') ? (keyValues[0] ?? '') : '',
    SEARCH_DELAY_MS,
  )
  const searchQuery = useQuery({
    queryKey: ['contacts', 'existing', query],
    queryFn: ({ signal }) =>
      apiClient.searchTargets({ body: { query, criteria: null, sort: { by: 'id', order: 'asc' }, limit: 20 }, signal }),
    enabled: query.length >= MIN_QUERY_LENGTH,
  })
  const fold = (text: string): string => text.toLowerCase()
  return searchQuery.data?.items.find((contact) =>
    fields
      .filter(({ isUnicity }) => isUnicity)
      .every(({ id }, place) => fold(String(contact.fields[id] ?? '')) === fold(keyValues[place] ?? '')),
  )
}

/** Adds one contact by its fields; says while they are written if it is there already. */
export function AddContactDialog({ fields, onClose }: { fields: readonly ContactListField[]; onClose(): void }) {
  const t = useTranslator(contactTexts)
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [values, setValues] = useState<FieldValues>({})
  const existingContact = useExistingContact(values, fields)
  const addContact = useAsyncAction(async () => {
    const filledValues = Object.entries(values).filter(([, value]) => value !== null && value !== '')
    const contact = await apiClient.createTarget({ body: Object.fromEntries(filledValues) })
    showToast(t('contactAdded', { name: formatContactName(contact, fields) }))
    await queryClient.invalidateQueries({ queryKey: ['contacts'] })
    await navigate({ to: objectPaths.contact(contact.id) })
  })
  const faults = addContact.error instanceof ApiRefusal ? addContact.error.errors : []
  const form: FormBinding<FieldValues> = {
    value: values,
    set: (pointer, value) => setValues((before) => setPointerValue(before, pointer, value)),
    faultAt: (pointer) => faults.find((fault) => fault.pointer === pointer)?.detail,
  }
  const keyFields = fields.filter(({ isUnicity }) => isUnicity)
  const hasKey = keyFields.every(({ id }) => String(values[id] ?? '').trim() !== '')
  return (
    <Modal opened onClose={onClose} title={t('addContact')} size={520} closeButtonProps={{ 'aria-label': t('close') }}>
      <form noValidate onSubmit={addContact.submit} style={{ display: 'grid', gap: 16 }}>
        {sortAskedFields(fields).map((field, place) => (
          <ContactValueField key={field.id} form={form} field={field} isReadOnly={false} isFirst={place === 0} />
        ))}
        {existingContact && (
          <Alert color="orange" role="status">
            {t('alreadyContact')}{' '}
            <Anchor component={Link} to={objectPaths.contact(existingContact.id)}>
              {t('openContact')}
            </Anchor>
          </Alert>
        )}
        {addContact.error !== null && faults.length === 0 && <ProblemAlert error={addContact.error} />}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={addContact.isBusy} disabled={!hasKey || existingContact !== undefined}>
            {t('addContact')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
