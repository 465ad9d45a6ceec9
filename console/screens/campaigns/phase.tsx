import type { Answer } from '../../api/shapes.ts'
import { Badge, type Tone } from '../../components/Badge.tsx'
import { Time } from '../../components/Time.tsx'
import { type Text, useText } from '../../text/catalogue.ts'
import type en from './en.ts'
import type { Phase } from './routes.ts'
import { campaignTexts } from './texts.ts'

export type Campaign = Answer<'/campaigns', 'get'>[number]
type Dates = Pick<Campaign, 'startDate' | 'endDate'>

const TONES: Record<Phase, Tone> = { planned: 'neutral', running: 'good', over: 'neutral' }

/** Where a campaign stands by its dates; null: it has none. */
export function phaseOf({ startDate, endDate }: Dates, now = Date.now()): Phase | null {
  if (startDate === null && endDate === null) return null
  if (startDate !== null && Date.parse(startDate) > now) return 'planned'
  return endDate !== null && Date.parse(endDate) <= now ? 'over' : 'running'
}

export function PhaseBadge({ campaign }: { campaign: Dates }) {
  const t = useText(campaignTexts)
  const phase = phaseOf(campaign)
  return phase && <Badge tone={TONES[phase]}>{t(phase)}</Badge>
}

/** From when until when: "1 Mar to 31 Mar", "from 1 Mar", "until 31 Mar". */
export function Period({ campaign: { startDate, endDate }, t }: { campaign: Dates; t: Text<typeof en> }) {
  if (startDate === null && endDate === null) return <>{t('noDates')}</>
  const [before, between, after] = t(startDate === null ? 'until' : endDate === null ? 'from' : 'fromTo', {
    start: '\u0000',
    end: '\u0000',
  }).split('\u0000')
  const [first, last] = startDate === null ? [endDate, null] : [startDate, endDate]
  return (
    <>
      {before}
      {first && <Time at={first} as="date" />}
      {between}
      {last && <Time at={last} as="date" />}
      {after}
    </>
  )
}
