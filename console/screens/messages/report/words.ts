import { useCancellationLabel } from '../../../components/cancellations/cancellations.ts'
import { useTranslator } from '../../../text/catalogue.ts'
import { formatVersionName } from '../experiment/experiment.ts'
import type en from './en.ts'
import { reportTexts } from './texts.ts'

type Key = keyof typeof en

/** What a number of a report is called: `refused`, `cancelled:redlist`, `link:3`, `version:b`. */
export function useReportLabels(): (of: string) => string {
  const t = useTranslator(reportTexts)
  const cancelled = useCancellationLabel()
  return (of) => {
    const [word = '', detail] = of.split(':')
    if (detail !== undefined) {
      if (word === 'cancelled') return `${t('cancelled')}: ${cancelled(detail)}`
      if (word === 'link') return t('linkOf', { link: detail })
      if (word === 'version') return t('versionOf', { version: formatVersionName(detail) })
      if (word === 'goal') {
        const who = detail === 'holdout' ? t('goalHeldOut') : t('versionOf', { version: formatVersionName(detail) })
        return `${t('goalOf')}: ${who}`
      }
    }
    const key = WORDS[word]
    return key ? t(key) : of
  }
}

const WORDS: Readonly<Record<string, Key>> = {
  ...{ audience: 'audience', sent: 'sent', refused: 'refused', held: 'held', cancelled: 'cancelled' },
  ...{ postponed: 'postponed', deferred: 'deferred', waiting: 'waiting', delivered: 'delivered' },
  ...{ opens: 'opened', clicks: 'clicked', unsubscribes: 'unsubscribes', complaints: 'complaints' },
  ...{ replies: 'replies', bounces: 'bounces', holdout: 'heldOut' },
}
