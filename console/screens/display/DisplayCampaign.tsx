import { Button } from '@mantine/core'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMay } from '../../api/me.ts'
import { Badge } from '../../components/Badge.tsx'
import { Loaded } from '../../components/form/Loaded.tsx'
import { useStored } from '../../components/form/use-resource.ts'
import { Page } from '../../components/layout/Page.tsx'
import { Problem } from '../../components/layout/Problem.tsx'
import { useText } from '../../text/catalogue.ts'
import { Period } from '../campaigns/phase.tsx'
import { campaignTexts } from '../campaigns/texts.ts'
import { Contents } from './Contents.tsx'
import styles from './Display.module.css'
import { type DisplayCampaign as Document, displayKind, placementName, useContents, usePlacements } from './kinds.ts'
import { Results } from './Results.tsx'
import type { CampaignSearch } from './routes.ts'
import { Tags } from './Tags.tsx'
import { displayTexts } from './texts.ts'

const route = getRouteApi('/display/campaigns/$id')

function Shown({ campaign }: { campaign: Document }) {
  const t = useText(displayTexts)
  const campaignText = useText(campaignTexts)
  const mayWrite = useMay('write')
  const navigate = route.useNavigate()
  const { days = 30, content } = route.useSearch()
  const { id, name, active, description } = campaign
  const contents = useContents(id)
  const placements = usePlacements()
  const set = (change: CampaignSearch): void =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  const nameOf = (one: string): string => {
    const placement = placements.data?.find((known) => known.id === one)
    return placement ? placementName(placement) : one
  }
  const contentName = (one: string): string => contents.data?.find((known) => known.id === one)?.name ?? one
  const failed = [contents, placements].find(({ error }) => error)
  return (
    <Page
      title={name}
      parent={{ label: t('campaigns'), to: '/display' }}
      badge={<Badge tone={active ? 'good' : 'neutral'}>{t(active ? 'active' : 'inactive')}</Badge>}
      note={<Period campaign={campaign} t={campaignText} />}
      action={
        mayWrite && (
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
        <Results
          id={id}
          days={days}
          onDays={(next) => set({ days: next })}
          contentName={contentName}
          placementName={nameOf}
        />
        {failed && <Problem error={failed.error} onRetry={() => void failed.refetch()} />}
        {contents.data && <Contents campaign={id} contents={contents.data} placementName={nameOf} />}
        {contents.data && contents.data.length > 0 && placements.data && (
          <Tags
            contents={contents.data}
            placements={placements.data}
            chosen={content}
            onChoose={(next) => set({ content: next })}
          />
        )}
      </div>
    </Page>
  )
}

/** A display campaign: what was shown and followed, its contents, and the tags that show them. */
export function DisplayCampaign() {
  const t = useText(displayTexts)
  const { id } = route.useParams()
  return (
    <Loaded read={useStored(displayKind, id)} title={t('campaign')} parent={{ label: t('campaigns'), to: '/display' }}>
      {({ data: campaign }) => <Shown key={id} campaign={campaign} />}
    </Loaded>
  )
}
