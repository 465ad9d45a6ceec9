import type { ReactNode } from 'react'
import { FormattedNumber } from '../../components/FormattedNumber.tsx'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { DefinedTerm } from '../../components/layout/DefinedTerm.tsx'
import { PagePanel } from '../../components/layout/PagePanel.tsx'
import { ObjectLink } from '../../components/ObjectLink.tsx'
import type { ApiOverview } from '../../layout/overview.ts'
import { useTranslator } from '../../text/catalogue.ts'
import styles from './HomePage.module.css'
import { homeTexts } from './texts.ts'

type RecentCampaign = ApiOverview['campaigns'][number]

/** A number with its share of what was sent. */
function ShareCell({ value, of }: { value: number; of: number }): ReactNode {
  return (
    <>
      <FormattedNumber value={value} /> {of > 0 && <small>{<FormattedNumber value={value / of} percent />}</small>}
    </>
  )
}

function CampaignRow({ campaign: { type, id, name, startDate, report } }: { campaign: RecentCampaign }) {
  const { audience, sent: sentCount, opens, clicks, unsubscribes, bounces } = report
  return (
    <tr>
      <th scope="row">
        <ObjectLink type={type} id={id} name={name} />
        <small>
          <FormattedTime at={startDate} />
        </small>
      </th>
      <td>{audience === null ? '' : <FormattedNumber value={audience} />}</td>
      <td>
        <FormattedNumber value={sentCount} />
      </td>
      <td>
        <ShareCell value={opens.contacts} of={sentCount} />
      </td>
      <td>
        <ShareCell value={clicks.contacts} of={sentCount} />
      </td>
      <td>
        <FormattedNumber value={unsubscribes} />
      </td>
      <td>
        <ShareCell value={bounces} of={sentCount} />
      </td>
    </tr>
  )
}

/** The five that started last, with their results as they come in. */
export function RecentCampaigns({ campaigns }: { campaigns: ApiOverview['campaigns'] }) {
  const t = useTranslator(homeTexts)
  const columns = [
    [t('audience'), t('audienceWhy')],
    [t('accepted'), t('acceptedWhy')],
    [t('open'), t('openWhy')],
    [t('clicks'), t('clicksWhy')],
    [t('unsubscribes'), t('unsubscribesWhy')],
    [t('bounceRate'), t('bounceRateWhy')],
  ] as const
  return (
    <PagePanel title={t('campaigns')}>
      {campaigns.length === 0 ? (
        <p className={styles['quiet']}>{t('campaignsEmpty')}</p>
      ) : (
        <div className={styles['scroll']} tabIndex={0}>
          <table className={styles['figures']}>
            <thead>
              <tr>
                <th scope="col">{t('campaign')}</th>
                {columns.map(([label, definition]) => (
                  <th key={label} scope="col">
                    <DefinedTerm definition={definition}>{label}</DefinedTerm>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {campaigns.map((campaign) => (
                <CampaignRow key={`${campaign.type} ${campaign.id}`} campaign={campaign} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </PagePanel>
  )
}
