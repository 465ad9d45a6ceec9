import { useQuery } from '@tanstack/react-query'
import { apiClient } from '../../../api/client.ts'
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
      const [firstContact] = await apiClient.listActionReportContacts({ ...params, signal })
      const messageStamp = firstContact?.stamp
      return messageStamp ? apiClient.getMessage({ path: { stamp: messageStamp }, signal }) : null
    },
    staleTime: 60_000,
  })
}

/** Clicks shown over the message as one of its recipients received it. */
export function ClickMap({ id, report }: { id: string; report: ApiMessageReport }) {
  const t = useTranslator(reportTexts)
  const format = useLocaleFormat()
  const sentMessage = useSentMessage(id)
  const { html, text, subject } = sentMessage.data?.parts ?? {}
  if (sentMessage.data === null || (sentMessage.data && html === undefined)) return null
  return (
    <PagePanel title={t('clickMap')}>
      {sentMessage.error && <ProblemAlert error={sentMessage.error} onRetry={() => void sentMessage.refetch()} />}
      {sentMessage.isPending && <LoadingSkeleton lines={[100, 100, 60]} />}
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
