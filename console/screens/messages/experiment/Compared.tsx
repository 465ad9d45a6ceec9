import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, data } from '../../../api/client.ts'
import type { Answer } from '../../../api/shapes.ts'
import { Panel } from '../../../components/layout/Panel.tsx'
import { Sheet } from '../../../components/layout/Sheet.tsx'
import { Num } from '../../../components/Num.tsx'
import { Time } from '../../../components/Time.tsx'
import { useText } from '../../../text/catalogue.ts'
import type { ChannelName } from '../names.ts'
import { shareOf } from '../report/report.ts'
import { reportTexts } from '../report/texts.ts'

type Listed = Answer<'/actions', 'get'>[number]
const COMPARED = 10

/** The last finished campaigns of the channel, newest first. */
function useOthers(channel: ChannelName, id: string) {
  return useQuery({
    enabled: channel === 'email' || channel === 'sms',
    queryKey: ['actions', 'compared', channel],
    queryFn: async ({ signal }) => {
      const type = channel === 'sms' ? 'smsCampaign' : 'mailCampaign'
      const query = { type, state: '60', report: true, sort: '-creationDate', limit: COMPARED + 1 }
      return data(api.GET('/actions', { params: { query }, signal }))
    },
    select: (all: Listed[]) => all.filter((one) => one.id !== id).slice(0, COMPARED),
  })
}

function Rate({ part, whole }: { part: number; whole: number }) {
  const share = shareOf(part, whole)
  return share === null ? null : <Num value={share} percent />
}

/** Beside the last ten of the channel. */
export function Compared({ channel, id }: { channel: ChannelName; id: string }) {
  const t = useText(reportTexts)
  const { data: others = [] } = useOthers(channel, id)
  if (others.length === 0) return null
  return (
    <Panel title={t('compared')}>
      <Sheet label={t('compared')}>
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
          {others.map(({ id: other, name, creationDate, report }) => (
            <tr key={other}>
              <th scope="row">
                <Link to="/messages/$channel/$id/report" params={{ channel, id: other }}>
                  <bdi>{name}</bdi>
                </Link>
                <small>
                  <Time at={creationDate} />
                </small>
              </th>
              <td data-number>
                <Num value={report?.sent ?? 0} />
              </td>
              <td data-number>{report && <Rate part={report.opens.contacts} whole={report.sent} />}</td>
              <td data-number>{report && <Rate part={report.clicks.contacts} whole={report.sent} />}</td>
            </tr>
          ))}
        </tbody>
      </Sheet>
    </Panel>
  )
}
