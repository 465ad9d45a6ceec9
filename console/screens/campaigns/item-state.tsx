import type { ApiAnswer } from '../../api/shapes.ts'
import { type BadgeTone, StateBadge } from '../../components/StateBadge.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import type en from './en.ts'
import { campaignTexts } from './texts.ts'

export type ApiCampaignItemResult = ApiAnswer<'getCampaignResults'>['items'][number]

/** Words of the states of actions. */
const ACTION_STATES: Readonly<Record<number, { tone: BadgeTone; key: keyof typeof en }>> = {
  10: { tone: 'neutral', key: 'incomplete' },
  20: { tone: 'neutral', key: 'draft' },
  30: { tone: 'busy', key: 'testing' },
  35: { tone: 'busy', key: 'testing' },
  36: { tone: 'busy', key: 'testing' },
  37: { tone: 'busy', key: 'testing' },
  38: { tone: 'neutral', key: 'tested' },
  40: { tone: 'busy', key: 'validating' },
  50: { tone: 'scheduled', key: 'validated' },
  55: { tone: 'busy', key: 'sending' },
  60: { tone: 'done', key: 'over60' },
}

/** The state of what a campaign groups, as its word. */
export function CampaignItemState({
  item: { state, paused, active },
}: {
  item: Pick<ApiCampaignItemResult, 'state' | 'paused' | 'active'>
}) {
  const t = useTranslator(campaignTexts)
  if (paused) return <StateBadge tone="warning">{t('paused')}</StateBadge>
  const knownState = state === null ? undefined : ACTION_STATES[state]
  if (knownState) return <StateBadge tone={knownState.tone}>{t(knownState.key)}</StateBadge>
  return active === null ? null : (
    <StateBadge tone={active ? 'busy' : 'neutral'}>{t(active ? 'active' : 'inactive')}</StateBadge>
  )
}
