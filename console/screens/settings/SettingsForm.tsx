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
  /** What it is kept by. */
  name: string
  /** Pointers of its fields. */
  pointers: readonly string[]
  read(): Promise<StoredDocument<T>>
  write(value: T, etag: string | null): Promise<unknown>
  children(fields: SettingsFieldsProps<T>): ReactNode
}

function Edited<T>({ name, pointers, read, write, children, stored }: Props<T> & { stored: StoredDocument<T> }) {
  const t = useTranslator(settingsScreenTexts)
  const isReadOnly = !useHasRight('admin')
  const form = useDocumentForm<T>({
    name: `settings.${name}`,
    stored,
    save: async (value, etag) => {
      await write(value, etag)
      return read()
    },
    load: read,
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
  const stored = useQuery({
    queryKey: ['settings', props.name],
    queryFn: props.read,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  if (stored.error) return <ProblemAlert error={stored.error} onRetry={() => void stored.refetch()} />
  return stored.data ? <Edited {...props} stored={stored.data} /> : <LoadingSkeleton />
}

/** The header that a write is bound to a version by. */
export const buildIfMatchHeader = (etag: string | null): Record<string, string> =>
  etag === null ? {} : { 'if-match': etag }
