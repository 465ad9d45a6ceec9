import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { apiClient } from '../../../api/client.ts'
import type { ApiAnswer } from '../../../api/shapes.ts'
import { FormattedNumber } from '../../../components/FormattedNumber.tsx'
import { FormattedTime } from '../../../components/FormattedTime.tsx'
import { PagePanel } from '../../../components/layout/PagePanel.tsx'
import { PlainTable } from '../../../components/layout/PlainTable.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { MessageChannelName } from '../names.ts'
import { calculateShare } from '../report/report.ts'
import { reportTexts } from '../report/texts.ts'

type ListedAction = ApiAnswer<'listActions'>[number]
const MAX_COMPARED = 10

/** The last finished campaigns of the channel, newest first. */
function useRecentCampaigns(channel: MessageChannelName, id: string) {
  return useQuery({
    enabled: channel === 'email' || channel === 'sms',
    queryKey: ['actions', 'compared', channel],
    queryFn: async ({ signal }) => {
      const type = channel === 'sms' ? 'smsCampaign' : 'mailCampaign'
      const query = { type, state: '60', report: true, sort: '-creationDate', limit: MAX_COMPARED + 1 }
      return apiClient.listActions({ query, signal })
    },
    select: (campaigns: ListedAction[]) => campaigns.filter((campaign) => campaign.id !== id).slice(0, MAX_COMPARED),
  })
}

function RateCell({ part, whole }: { part: number; whole: number }) {
  const rateShare = calculateShare(part, whole)
  return rateShare === null ? null : <FormattedNumber value={rateShare} percent />
}

/** Beside the last ten of the channel. */
export function ReportBenchmark({ channel, id }: { channel: MessageChannelName; id: string }) {
  const t = useTranslator(reportTexts)
  const { data: others = [] } = useRecentCampaigns(channel, id)
  if (others.length === 0) return null
  return (
    <PagePanel title={t('compared')}>
      <PlainTable label={t('compared')}>
        <thead>
          <tr>
            <th scope="col">{t('message')}</th>
            <th scope="col" data-number>
              {t('sent')}
            </th>
            <th scope="col" data-number>
              {t('opened')}
            </th>
            <th scope="col" data-number>
              {t('clicked')}
            </th>
          </tr>
        </thead>
        <tbody>
          {others.map(({ id: campaignId, name, creationDate, report }) => (
            <tr key={campaignId}>
              <th scope="row">
                <Link to="/messages/$channel/$id/report" params={{ channel, id: campaignId }}>
                  <bdi>{name}</bdi>
                </Link>
                <small>
                  <FormattedTime at={creationDate} />
                </small>
              </th>
              <td data-number>
                <FormattedNumber value={report?.sent ?? 0} />
              </td>
              <td data-number>{report && <RateCell part={report.opens.contacts} whole={report.sent} />}</td>
              <td data-number>{report && <RateCell part={report.clicks.contacts} whole={report.sent} />}</td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </PagePanel>
  )
}
