import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useMay } from '../../api/me.ts'
import { FormFrame } from '../../components/form/FormFrame.tsx'
import { type Form, type Stored, useForm } from '../../components/form/use-form.ts'
import { Problem } from '../../components/layout/Problem.tsx'
import { Skeleton } from '../../components/layout/Skeleton.tsx'
import { useText } from '../../text/catalogue.ts'
import { settingsTexts } from './texts.ts'

export interface Fields<T> {
  form: Form<T>
  isReadOnly: boolean
}

interface Props<T> {
  /** What it is kept by. */
  name: string
  /** Pointers of its fields. */
  pointers: readonly string[]
  read(): Promise<Stored<T>>
  write(value: T, etag: string | null): Promise<unknown>
  children(fields: Fields<T>): ReactNode
}

function Edited<T>({ name, pointers, read, write, children, stored }: Props<T> & { stored: Stored<T> }) {
  const t = useText(settingsTexts)
  const isReadOnly = !useMay('admin')
  const form = useForm<T>({
    name: `settings.${name}`,
    stored,
    save: async (value, etag) => {
      await write(value, etag)
      return read()
    },
    load: read,
  })
  return (
    <FormFrame form={form} pointers={pointers}>
      {isReadOnly && <p>{t('readOnly')}</p>}
      {children({ form, isReadOnly })}
    </FormFrame>
  )
}

/** A document of settings: read, edited by admins, written over the version that was read. */
export function DocumentForm<T>(props: Props<T>) {
  const stored = useQuery({
    queryKey: ['settings', props.name],
    queryFn: props.read,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
  if (stored.error) return <Problem error={stored.error} onRetry={() => void stored.refetch()} />
  return stored.data ? <Edited {...props} stored={stored.data} /> : <Skeleton />
}

/** The header that a write is bound to a version by. */
export const ifMatch = (etag: string | null): Record<string, string> => (etag === null ? {} : { 'if-match': etag })
