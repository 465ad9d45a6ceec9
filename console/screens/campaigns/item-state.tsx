import type { Answer } from '../../api/shapes.ts'
import { Badge, type Tone } from '../../components/Badge.tsx'
import { useText } from '../../text/catalogue.ts'
import type en from './en.ts'
import { campaignTexts } from './texts.ts'

export type ItemResult = Answer<'/campaigns/{id}/results', 'get'>['items'][number]

/** Words of the states of actions. */
const STATES: Readonly<Record<number, { tone: Tone; key: keyof typeof en }>> = {
  10: { tone: 'warning', key: 'incomplete' },
  20: { tone: 'neutral', key: 'draft' },
  30: { tone: 'busy', key: 'testing' },
  35: { tone: 'busy', key: 'testing' },
  36: { tone: 'busy', key: 'testing' },
  37: { tone: 'busy', key: 'testing' },
  38: { tone: 'neutral', key: 'tested' },
  40: { tone: 'busy', key: 'validating' },
  50: { tone: 'good', key: 'validated' },
  55: { tone: 'busy', key: 'sending' },
  60: { tone: 'good', key: 'over60' },
}

/** The state of what a campaign groups, as its word. */
export function ItemState({
  item: { state, paused, active },
}: {
  item: Pick<ItemResult, 'state' | 'paused' | 'active'>
}) {
  const t = useText(campaignTexts)
  if (paused) return <Badge tone="warning">{t('paused')}</Badge>
  const known = state === null ? undefined : STATES[state]
  if (known) return <Badge tone={known.tone}>{t(known.key)}</Badge>
  return active === null ? null : <Badge tone={active ? 'good' : 'neutral'}>{t(active ? 'active' : 'inactive')}</Badge>
}
