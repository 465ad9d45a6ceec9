import type { ReactNode } from 'react'
import { Defined } from '../../components/layout/Defined.tsx'
import { Panel } from '../../components/layout/Panel.tsx'
import { Num } from '../../components/Num.tsx'
import { ObjectLink } from '../../components/ObjectLink.tsx'
import { Time } from '../../components/Time.tsx'
import type { Overview } from '../../layout/overview.ts'
import { useText } from '../../text/catalogue.ts'
import styles from './Home.module.css'
import { homeTexts } from './texts.ts'

type Campaign = Overview['campaigns'][number]

/** A number with its share of what was sent. */
function Shared({ value, of }: { value: number; of: number }): ReactNode {
  return (
    <>
      <Num value={value} /> {of > 0 && <small>{<Num value={value / of} percent />}</small>}
    </>
  )
}

function Row({ campaign: { type, id, name, startDate, report } }: { campaign: Campaign }) {
  const { audience, sent, opens, clicks, unsubscribes, bounces } = report
  return (
    <tr>
      <th scope="row">
        <ObjectLink type={type} id={id} name={name} />
        <small>
          <Time at={startDate} />
        </small>
      </th>
      <td>{audience === null ? '' : <Num value={audience} />}</td>
      <td>
        <Num value={sent} />
      </td>
      <td>
        <Shared value={opens.contacts} of={sent} />
      </td>
      <td>
        <Shared value={clicks.contacts} of={sent} />
      </td>
      <td>
        <Num value={unsubscribes} />
      </td>
      <td>
        <Shared value={bounces} of={sent} />
      </td>
    </tr>
  )
}

/** The five that started last, with their results as they come in. */
export function Campaigns({ campaigns }: { campaigns: Overview['campaigns'] }) {
  const t = useText(homeTexts)
  const columns = [
    [t('audience'), t('audienceWhy')],
    [t('accepted'), t('acceptedWhy')],
    [t('open'), t('openWhy')],
    [t('clicks'), t('clicksWhy')],
    [t('unsubscribes'), t('unsubscribesWhy')],
    [t('bounceRate'), t('bounceRateWhy')],
  ] as const
  return (
    <Panel title={t('campaigns')}>
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
                    <Defined definition={definition}>{label}</Defined>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {campaigns.map((campaign) => (
                <Row key={`${campaign.type} ${campaign.id}`} campaign={campaign} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  )
}
