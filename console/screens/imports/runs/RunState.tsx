import { Badge } from '../../../components/Badge.tsx'
import { useText } from '../../../text/catalogue.ts'
import type { Run } from '../calls.ts'
import { importTexts } from '../texts.ts'

/** How a run stands, as a word. */
export function RunState({ run }: { run: Run }) {
  const t = useText(importTexts)
  if (run.state === 0) return <Badge tone="busy">{t('running')}</Badge>
  if (run.state === 1) return <Badge tone="good">{t('completed')}</Badge>
  if (run.error?.type === 'cancelled') return <Badge tone="neutral">{t('stopped')}</Badge>
  return (
    <Badge tone="bad" {...(run.error && { hint: run.error.detail })}>
      {t('failed')}
    </Badge>
  )
}
