import { StateBadge } from '../../../components/StateBadge.tsx'
import { useTranslator } from '../../../text/catalogue.ts'
import type { ApiImportRun } from '../calls.ts'
import { importTexts } from '../texts.ts'

/** State of a run as a badge. */
export function ImportRunStateBadge({ run }: { run: ApiImportRun }) {
  const t = useTranslator(importTexts)
  if (run.state === 0) return <StateBadge tone="busy">{t('running')}</StateBadge>
  if (run.state === 1) return <StateBadge tone="good">{t('completed')}</StateBadge>
  if (run.error?.type === 'cancelled') return <StateBadge tone="neutral">{t('stopped')}</StateBadge>
  return (
    <StateBadge tone="bad" {...(run.error && { hint: run.error.detail })}>
      {t('failed')}
    </StateBadge>
  )
}
