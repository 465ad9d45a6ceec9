import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { requestPreview } from '../../../api/previews.ts'
import { EmptyState } from '../../../components/layout/EmptyState.tsx'
import { LoadingSkeleton } from '../../../components/layout/LoadingSkeleton.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { PreviewContactField } from '../PreviewContactField.tsx'
import styles from './Phones.module.css'
import { phonesTexts } from './texts.ts'

/** Answer of a render that failed. */
interface RenderError {
  type: 'error'
  value: { type: string; message?: string }
}

/** Recipient that a message is rendered for; an empty contact if absent. */
export type PreviewReceiver = { receiver?: { type: 'id'; value: string } }

interface Props<R extends { type: 'success' }> {
  /** Cache key, such as `sms` with its id and its content: a change of any part renders again. */
  of: readonly unknown[]
  render(receiver: PreviewReceiver, signal: AbortSignal): Promise<R | RenderError>
  children(rendered: R): ReactNode
  /** There is nothing to render. */
  isEmpty?: boolean
}

const RENDER_DELAY_MS = 300

/** A message as it is being written, as the service renders it for a contact that is chosen. */
export function RenderedPhonePreview<R extends { type: 'success' }>({
  of,
  render,
  children,
  isEmpty = false,
}: Props<R>) {
  const t = useTranslator(phonesTexts)
  const [contact, setContact] = useState<string | null>(null)
  const [key] = useDebouncedValue(JSON.stringify(of), RENDER_DELAY_MS)
  const { data, error, refetch } = useQuery({
    queryKey: ['preview', key, contact],
    // Of what is there by now, which is what the key says once nobody types.
    queryFn: ({ signal }) =>
      requestPreview(signal, (previewSignal) =>
        render(contact ? { receiver: { type: 'id', value: contact } } : {}, previewSignal),
      ),
    placeholderData: keepPreviousData,
    enabled: !isEmpty,
  })
  if (isEmpty) return <EmptyState title={t('nothingYet')}>{t('nothingYetWhy')}</EmptyState>
  return (
    <div className={styles['part']}>
      <PreviewContactField value={contact} onChange={setContact} />
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {!data && !error && <LoadingSkeleton lines={[60, 90, 40]} />}
      {data && !error && <RenderResult result={data}>{children}</RenderResult>}
    </div>
  )
}

function RenderResult<R extends { type: 'success' }>({
  result,
  children,
}: {
  result: R | RenderError
  children(rendered: R): ReactNode
}) {
  const t = useTranslator(phonesTexts)
  if (result.type === 'success') return <>{children(result as R)}</>
  const { type, message } = (result as RenderError).value
  return (
    <ProblemAlert
      error={null}
      title={t(type === 'cancelled' ? 'cancelled' : 'notRendered')}
      fallback={message ?? type}
    />
  )
}
