import { useQueries } from '@tanstack/react-query'
import { apiClient } from '../../api/client.ts'
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

/** Subjects of emails, in the order of the campaigns; undefined for other channels. */
function useSubjects(campaigns: readonly RecentCampaign[]): (string | undefined)[] {
  const queries = campaigns.map(({ type, id }) => ({
    queryKey: ['subject', type, id],
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const { content } = await apiClient.getAction({ path: { id: String(id) }, signal })
      return content !== undefined && content !== null && 'subject' in content ? (content.subject ?? '') : ''
    },
    enabled: type === 'mailCampaign',
    staleTime: 300_000,
  }))
  return useQueries({ queries }).map(({ data }) => data)
}

/** A share of what was sent, with the number it stands for. */
function ShareFigure({
  label,
  definition,
  value,
  of,
}: {
  label: string
  definition: string
  value: number
  of: number
}) {
  return (
    <div className={styles['share']}>
      <dt>
        <DefinedTerm definition={definition}>{label}</DefinedTerm>
      </dt>
      <dd>
        {of > 0 ? <FormattedNumber value={value / of} percent /> : <FormattedNumber value={value} />}
        {of > 0 && (
          <small>
            <FormattedNumber value={value} short />
          </small>
        )}
      </dd>
    </div>
  )
}

/** The five that started last, with their results as they come in. */
export function RecentCampaigns({ campaigns }: { campaigns: ApiOverview['campaigns'] }) {
  const t = useTranslator(homeTexts)
  const subjects = useSubjects(campaigns)
  return (
    <PagePanel title={t('campaigns')}>
      {campaigns.length === 0 && <p className={styles['quiet']}>{t('campaignsEmpty')}</p>}
      {campaigns.length > 0 && (
        <ul className={styles['list']}>
          {campaigns.map(({ type, id, name, startDate, report }, index) => (
            <li key={`${type} ${id}`} className={styles['campaign']}>
              <div>
                <ObjectLink type={type} id={id} name={name} />
                <small>
                  {subjects[index] && <bdi>{subjects[index]} · </bdi>}
                  <FormattedTime at={startDate} />
                </small>
              </div>
              <dl>
                <div className={styles['share']}>
                  <dt>
                    <DefinedTerm definition={t('acceptedWhy')}>{t('accepted')}</DefinedTerm>
                  </dt>
                  <dd>
                    <FormattedNumber value={report.sent} />
                  </dd>
                </div>
                <ShareFigure
                  label={t('open')}
                  definition={t('openWhy')}
                  value={report.opens.contacts}
                  of={report.sent}
                />
                <ShareFigure
                  label={t('clicks')}
                  definition={t('clicksWhy')}
                  value={report.clicks.contacts}
                  of={report.sent}
                />
              </dl>
            </li>
          ))}
        </ul>
      )}
    </PagePanel>
  )
}
