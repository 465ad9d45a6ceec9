import { Button } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useHasRight } from '../../api/me.ts'
import { DocumentLoader } from '../../components/form/DocumentLoader.tsx'
import { useStoredDocument } from '../../components/form/use-resource.ts'
import { ProblemAlert } from '../../components/layout/ProblemAlert.tsx'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { StateBadge } from '../../components/StateBadge.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import { CampaignPeriod } from '../campaigns/phase.tsx'
import { campaignTexts } from '../campaigns/texts.ts'
import type { DisplayCampaignSearch } from './address.ts'
import styles from './Display.module.css'
import { DisplayContents } from './DisplayContents.tsx'
import { DisplayResults } from './DisplayResults.tsx'
import { DisplayTagSnippets } from './DisplayTagSnippets.tsx'
import {
  type ApiDisplayCampaign,
  displayCampaignResource,
  formatPlacementName,
  useDisplayContents,
  usePlacements,
} from './kinds.ts'
import { displayTexts } from './texts.ts'

const route = getRouteApi('/display/campaigns/$id')

function LoadedCampaign({ campaign }: { campaign: ApiDisplayCampaign }) {
  const t = useTranslator(displayTexts)
  const campaignText = useTranslator(campaignTexts)
  const canWrite = useHasRight('write')
  const navigate = route.useNavigate()
  const { days = 30, content } = route.useSearch()
  const { id, name, active, description } = campaign
  const contentsQuery = useDisplayContents(id)
  const placements = usePlacements()
  const changeSearch = (change: DisplayCampaignSearch): void =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  const findPlacementName = (objectId: string): string => {
    const placement = placements.data?.find((candidate) => candidate.id === objectId)
    return placement ? formatPlacementName(placement) : objectId
  }
  const contentName = (objectId: string): string =>
    contentsQuery.data?.find((candidate) => candidate.id === objectId)?.name ?? objectId
  const failedQuery = [contentsQuery, placements].find(({ error }) => error)
  return (
    <ScreenPage
      title={name}
      parent={{ label: t('campaigns'), to: '/display' }}
      badge={<StateBadge tone={active ? 'busy' : 'neutral'}>{t(active ? 'active' : 'inactive')}</StateBadge>}
      note={<CampaignPeriod campaign={campaign} t={campaignText} />}
      action={
        canWrite && (
          <Button
            variant="default"
            renderRoot={(props) => <Link to="/display/campaigns/$id/edit" params={{ id }} {...props} />}
          >
            {t('edit')}
          </Button>
        )
      }
    >
      <div className={styles['parts']}>
        {description && <p className={styles['steps']}>{description}</p>}
        <DisplayResults
          id={id}
          days={days}
          onDays={(next) => changeSearch({ days: next })}
          contentName={contentName}
          placementName={findPlacementName}
        />
        {failedQuery && <ProblemAlert error={failedQuery.error} onRetry={() => void failedQuery.refetch()} />}
        {contentsQuery.data && (
          <DisplayContents campaign={id} contents={contentsQuery.data} placementName={findPlacementName} />
        )}
        {contentsQuery.data && contentsQuery.data.length > 0 && placements.data && (
          <DisplayTagSnippets
            contents={contentsQuery.data}
            placements={placements.data}
            chosen={content}
            onChoose={(next) => changeSearch({ content: next })}
          />
        )}
      </div>
    </ScreenPage>
  )
}

/** A display campaign: what was shown and followed, its contents, and the tags that show them. */
export function DisplayCampaignPage() {
  const t = useTranslator(displayTexts)
  const { id } = route.useParams()
  return (
    <DocumentLoader
      read={useStoredDocument(displayCampaignResource, id)}
      title={t('campaign')}
      parent={{ label: t('campaigns'), to: '/display' }}
    >
      {({ data: campaign }) => <LoadedCampaign key={id} campaign={campaign} />}
    </DocumentLoader>
  )
}
