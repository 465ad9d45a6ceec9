import { useQuery } from '@tanstack/react-query'
import { api, data } from '../../../api/client.ts'
import { Panel } from '../../../components/layout/Panel.tsx'
import { Problem } from '../../../components/layout/Problem.tsx'
import { Skeleton } from '../../../components/layout/Skeleton.tsx'
import { MailView } from '../../../components/mail/MailView.tsx'
import { useText } from '../../../text/catalogue.ts'
import { useFormat } from '../../../text/format.ts'
import { withClicks } from './click-map.ts'
import type { Report } from './report.ts'
import { reportTexts } from './texts.ts'

/** A message of the action as it was sent: the first of those that were accepted. */
function useSentMessage(id: string) {
  return useQuery({
    queryKey: ['report', 'message', id],
    queryFn: async ({ signal }) => {
      const params = { path: { id }, query: { of: 'sent', limit: 1 } }
      const [first] = await data(api.GET('/actions/{id}/report/contacts', { params, signal }))
      const stamp = first?.stamp
      return stamp ? data(api.GET('/messages/{stamp}', { params: { path: { stamp } }, signal })) : null
    },
    staleTime: 60_000,
  })
}

/** Where people clicked, over the message as one of them got it. */
export function ClickMap({ id, report }: { id: string; report: Report }) {
  const t = useText(reportTexts)
  const format = useFormat()
  const message = useSentMessage(id)
  const { html, text, subject } = message.data?.parts ?? {}
  if (message.data === null) return null
  return (
    <Panel title={t('clickMap')}>
      {message.error && <Problem error={message.error} onRetry={() => void message.refetch()} />}
      {message.isPending && <Skeleton lines={[100, 100, 60]} />}
      {html !== undefined && (
        <MailView html={withClicks(html, report.links, format.percent)} text={text} title={subject ?? t('clickMap')} />
      )}
    </Panel>
  )
}
