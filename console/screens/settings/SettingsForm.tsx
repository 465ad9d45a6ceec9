import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useHasRight } from '../../api/me.ts'
import { FormLayout } from '../../components/form/FormLayout.tsx'
import { type FormState, type StoredDocument, useDocumentForm } from '../../components/form/use-form.ts'
import { LoadingSkeleton } from '../../components/layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { settingsScreenTexts } from './texts.ts'

export interface SettingsFieldsProps<T> {
  form: FormState<T>
  isReadOnly: boolean
}

interface Props<T> {
  /** Storage key of the settings. */
  name: string
  /** Pointers of its fields. */
  pointers: readonly string[]
  read(): Promise<StoredDocument<T>>
  write(value: T, etag: string | null): Promise<unknown>
  children(fields: SettingsFieldsProps<T>): ReactNode
}

function LoadedSettingsForm<T>({
  name,
  pointers,
  read: readSettings,
  write,
  children,
  stored: storedDocument,
}: Props<T> & { stored: StoredDocument<T> }) {
  const t = useTranslator(settingsScreenTexts)
  const isReadOnly = !useHasRight('admin')
  const form = useDocumentForm<T>({
    name: `settings.${name}`,
    stored: storedDocument,
    save: async (value, etag) => {
      await write(value, etag)
      return readSettings()
    },
    load: readSettings,
  })
  return (
    <FormLayout form={form} pointers={pointers}>
      {isReadOnly && <p>{t('readOnly')}</p>}
      {children({ form, isReadOnly })}
    </FormLayout>
  )
}

/** A document of settings: read, edited by admins, written over the version that was read. */
export function SettingsForm<T>(props: Props<T>) {
  const settingsQuery = useQuery({
    queryKey: ['settings', props.name],
    queryFn: props.read,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  if (settingsQuery.error)
    return <ProblemAlert error={settingsQuery.error} onRetry={() => void settingsQuery.refetch()} />
  return settingsQuery.data ? <LoadedSettingsForm {...props} stored={settingsQuery.data} /> : <LoadingSkeleton />
}

/** The header that a write is bound to a version by. */
export const buildIfMatchHeader = (etag: string | null): Record<string, string> =>
  etag === null ? {} : { 'if-match': etag }
