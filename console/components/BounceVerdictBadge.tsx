import { useTranslator } from '../text/catalogue.ts'
import { StateBadge } from './StateBadge.tsx'
import { componentTexts } from './texts.ts'

/** Verdict on a bounce: hard or soft. */
export function BounceVerdictBadge({ verdict }: { verdict: 'hard' | 'soft' }) {
  const t = useTranslator(componentTexts)
  return (
    <StateBadge tone={verdict === 'hard' ? 'bad' : 'warning'} hint={t(`bounce-${verdict}-hint`)}>
      {t(`bounce-${verdict}`)}
    </StateBadge>
  )
}
