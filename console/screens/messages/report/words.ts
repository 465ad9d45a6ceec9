import { useCancellationLabel } from '../../../components/cancellations/cancellations.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { formatVersionName } from '../experiment/experiment.ts'
import type en from './en.ts'
import { reportTexts } from './texts.ts'

type TextKey = keyof typeof en

/** Label of a figure of a report: `refused`, `cancelled:redlist`, `link:3`, `version:b`. */
export function useReportLabels(): (of: string) => string {
  const t = useTranslator(reportTexts)
  const cancelled = useCancellationLabel()
  return (of) => {
    const [figureName = '', figureDetail] = of.split(':')
    if (figureDetail !== undefined) {
      if (figureName === 'cancelled') return `${t('cancelled')}: ${cancelled(figureDetail)}`
      if (figureName === 'link') return t('linkOf', { link: figureDetail })
      if (figureName === 'version') return t('versionOf', { version: formatVersionName(figureDetail) })
      if (figureName === 'goal') {
        const groupLabel =
          figureDetail === 'holdout' ? t('goalHeldOut') : t('versionOf', { version: formatVersionName(figureDetail) })
        return `${t('goalOf')}: ${groupLabel}`
      }
    }
    const key = FIGURE_KEYS[figureName]
    return key ? t(key) : of
  }
}

const FIGURE_KEYS: Readonly<Record<string, TextKey>> = {
  audience: 'audience',
  sent: 'sent',
  refused: 'refused',
  held: 'held',
  cancelled: 'cancelled',
  postponed: 'postponed',
  deferred: 'deferred',
  waiting: 'waiting',
  delivered: 'delivered',
  opens: 'opened',
  clicks: 'clicked',
  unsubscribes: 'unsubscribes',
  complaints: 'complaints',
  replies: 'replies',
  bounces: 'bounces',
  holdout: 'heldOut',
}
