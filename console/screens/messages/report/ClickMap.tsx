import { useQuery } from '@tanstack/react-query'
import { apiClient, readAnswer } from '../../../api/client.ts'
import { LoadingSkeleton } from '../../../components/layout/LoadingSkeleton.tsx'
import { PagePanel } from '../../../components/layout/PagePanel.tsx'
import { ProblemAlert } from '../../../components/layout/ProblemAlert.tsx'
import { MailView } from '../../../components/mail/MailView.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import { useLocaleFormat } from '../../../text/format.ts'
import { annotateLinkClicks } from './click-map.ts'
import type { ApiMessageReport } from './report.ts'
import { reportTexts } from './texts.ts'

/** A message of the action as it was sent: the first of those that were accepted. */
function useSentMessage(id: string) {
  return useQuery({
    queryKey: ['report', 'message', id],
    queryFn: async ({ signal }) => {
      const params = { path: { id }, query: { of: 'sent', limit: 1 } }
      const [first] = await readAnswer(apiClient.GET('/actions/{id}/report/contacts', { params, signal }))
      const stamp = first?.stamp
      return stamp ? readAnswer(apiClient.GET('/messages/{stamp}', { params: { path: { stamp } }, signal })) : null
    },
    staleTime: 60_000,
  })
}

/** Where people clicked, over the message as one of them got it. */
export function ClickMap({ id, report }: { id: string; report: ApiMessageReport }) {
  const t = useTranslator(reportTexts)
  const format = useLocaleFormat()
  const message = useSentMessage(id)
  const { html, text, subject } = message.data?.parts ?? {}
  if (message.data === null) return null
  return (
    <PagePanel title={t('clickMap')}>
      {message.error && <ProblemAlert error={message.error} onRetry={() => void message.refetch()} />}
      {message.isPending && <LoadingSkeleton lines={[100, 100, 60]} />}
      {html !== undefined && (
        <MailView
          html={annotateLinkClicks(html, report.links, format.percent)}
          text={text}
          title={subject ?? t('clickMap')}
        />
      )}
    </PagePanel>
  )
}
