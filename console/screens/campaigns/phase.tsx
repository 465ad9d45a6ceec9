import type { ApiAnswer } from '../../api/shapes.ts'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { type BadgeTone, StateBadge } from '../../components/StateBadge.tsx'
import { type Translator, useTranslator } from '../../text/catalogue.ts'
import type en from './en.ts'
import type { CampaignPhase } from './routes.ts'
import { campaignTexts } from './texts.ts'

export type ListedApiCampaign = ApiAnswer<'/campaigns', 'get'>[number]
type Dates = Pick<ListedApiCampaign, 'startDate' | 'endDate'>

const TONES: Record<CampaignPhase, BadgeTone> = { planned: 'neutral', running: 'good', over: 'neutral' }

/** Where a campaign stands by its dates; null: it has none. */
export function classifyCampaignPhase({ startDate, endDate }: Dates, now = Date.now()): CampaignPhase | null {
  if (startDate === null && endDate === null) return null
  if (startDate !== null && Date.parse(startDate) > now) return 'planned'
  return endDate !== null && Date.parse(endDate) <= now ? 'over' : 'running'
}

export function CampaignPhaseBadge({ campaign }: { campaign: Dates }) {
  const t = useTranslator(campaignTexts)
  const phase = classifyCampaignPhase(campaign)
  return phase && <StateBadge tone={TONES[phase]}>{t(phase)}</StateBadge>
}

/** From when until when: "1 Mar to 31 Mar", "from 1 Mar", "until 31 Mar". */
export function CampaignPeriod({ campaign: { startDate, endDate }, t }: { campaign: Dates; t: Translator<typeof en> }) {
  if (startDate === null && endDate === null) return <>{t('noDates')}</>
  const [before, between, after] = t(startDate === null ? 'until' : endDate === null ? 'from' : 'fromTo', {
    start: '\u0000',
    end: '\u0000',
  }).split('\u0000')
  const [first, last] = startDate === null ? [endDate, null] : [startDate, endDate]
  return (
    <>
      {before}
      {first && <FormattedTime at={first} as="date" />}
      {between}
      {last && <FormattedTime at={last} as="date" />}
      {after}
    </>
  )
}
