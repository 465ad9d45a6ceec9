import type { ApiAnswer } from '../../api/shapes.ts'
import { FormattedTime } from '../../components/FormattedTime.tsx'
import { type BadgeTone, StateBadge } from '../../components/StateBadge.tsx'
import { type Translator, useTranslator } from '../../text/catalogue.ts'
import type { CampaignPhase } from './address.ts'
import type en from './en.ts'
import { campaignTexts } from './texts.ts'

export type ListedApiCampaign = ApiAnswer<'listCampaigns'>[number]
type CampaignDates = Pick<ListedApiCampaign, 'startDate' | 'endDate'>

const PHASE_TONES: Record<CampaignPhase, BadgeTone> = { planned: 'scheduled', running: 'busy', over: 'done' }

/** Phase of a campaign by its dates; null if it has none. */
export function classifyCampaignPhase({ startDate, endDate }: CampaignDates, now = Date.now()): CampaignPhase | null {
  if (startDate === null && endDate === null) return null
  if (startDate !== null && Date.parse(startDate) > now) return 'planned'
  return endDate !== null && Date.parse(endDate) <= now ? 'over' : 'running'
}

export function CampaignPhaseBadge({ campaign }: { campaign: CampaignDates }) {
  const t = useTranslator(campaignTexts)
  const phase = classifyCampaignPhase(campaign)
  return phase && <StateBadge tone={PHASE_TONES[phase]}>{t(phase)}</StateBadge>
}

/** From when until when: "1 Mar to 31 Mar", "from 1 Mar", "until 31 Mar". */
export function CampaignPeriod({
  campaign: { startDate, endDate },
  t,
}: {
  campaign: CampaignDates
  t: Translator<typeof en>
}) {
  if (startDate === null && endDate === null) return <>{t('noDates')}</>
  const [textBefore, between, textAfter] = t(startDate === null ? 'until' : endDate === null ? 'from' : 'fromTo', {
    start: '\u0000',
    end: '\u0000',
  }).split('\u0000')
  const [firstDate, lastDate] = startDate === null ? [endDate, null] : [startDate, endDate]
  return (
    <>
      {textBefore}
      {firstDate && <FormattedTime at={firstDate} as="date" />}
      {between}
      {lastDate && <FormattedTime at={lastDate} as="date" />}
      {textAfter}
    </>
  )
}
